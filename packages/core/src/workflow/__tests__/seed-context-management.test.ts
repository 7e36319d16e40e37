// The test cases of the seed, verbatim; only the runner's names are ours.
import assert from 'node:assert';
import { beforeEach as setup, suite, test } from 'vitest';
import {
  loadWorkflowTemplateFromString,
  WorkflowStateMachine,
  type WorkflowTemplate,
  WorkflowValidationError,
} from '../index.js';

suite('Context Management', () => {
  let templateWithContext: WorkflowTemplate;

  setup(() => {
    templateWithContext = loadWorkflowTemplateFromString(`
name: context-test
description: Test context management

steps:
  - id: step_with_clear
    type: action
    context: clear
    instructions: Clear context first
  - id: step_with_compact
    type: action
    context: compact
    instructions: Compact context first
  - id: step_no_context
    type: action
    instructions: Normal step
`);
  });

  suite('getContextActionIfNeeded', () => {
    test('Returns null when step has no context action', () => {
      // Arrange
      const template = loadWorkflowTemplateFromString(`
name: test
description: Test
steps:
  - id: step1
    type: action
    instructions: Do something
`);
      const machine = new WorkflowStateMachine(template);
      machine.start();

      // Act
      const action = machine.getContextActionIfNeeded();

      // Assert
      assert.strictEqual(action, null);
    });

    test('Returns clear action when step has context: clear', () => {
      // Arrange
      const machine = new WorkflowStateMachine(templateWithContext);
      machine.start();

      // Act
      const action = machine.getContextActionIfNeeded();

      // Assert
      assert.strictEqual(action, 'clear');
    });

    test('Returns compact action when step has context: compact', () => {
      // Arrange
      const machine = new WorkflowStateMachine(templateWithContext);
      machine.start();
      machine.advance('First step done');

      // Act
      const action = machine.getContextActionIfNeeded();

      // Assert
      assert.strictEqual(action, 'compact');
    });

    test('Returns null after action is marked executed', () => {
      // Arrange
      const machine = new WorkflowStateMachine(templateWithContext);
      machine.start();

      // Act
      machine.markContextActionExecuted();
      const action = machine.getContextActionIfNeeded();

      // Assert
      assert.strictEqual(action, null);
    });

    test('Sub-step context action takes precedence over main step', () => {
      // Arrange
      const template = loadWorkflowTemplateFromString(`
name: test
description: Test
loops:
  my_loop:
    - id: sub1
      context: clear
      instructions: Sub step with clear
    - id: sub2
      instructions: Sub step without
steps:
  - id: step1
    type: loop
    context: compact
`);
      const machine = new WorkflowStateMachine(template);
      machine.start();
      machine.setTasks('step1', [{ id: 't1', title: 'Task 1', status: 'pending' }]);

      // Act
      const action = machine.getContextActionIfNeeded();

      // Assert - sub-step's 'clear' should win over main step's 'compact'
      assert.strictEqual(action, 'clear');
    });

    test('Returns null when sub-step has no context and main step has none', () => {
      // Arrange
      const template = loadWorkflowTemplateFromString(`
name: test
description: Test
loops:
  my_loop:
    - id: sub1
      instructions: Sub step
steps:
  - id: step1
    type: loop
`);
      const machine = new WorkflowStateMachine(template);
      machine.start();
      machine.setTasks('step1', [{ id: 't1', title: 'Task 1', status: 'pending' }]);

      // Act
      const action = machine.getContextActionIfNeeded();

      // Assert
      assert.strictEqual(action, null);
    });
  });

  suite('markContextActionExecuted', () => {
    test('Updates state flag to true', () => {
      // Arrange
      const machine = new WorkflowStateMachine(templateWithContext);
      machine.start();

      // Act
      machine.markContextActionExecuted();

      // Assert
      assert.strictEqual(machine.getState().contextActionExecuted, true);
    });
  });

  suite('State Initialization and Reset', () => {
    test('contextActionExecuted initializes to false', () => {
      // Arrange & Act
      const machine = new WorkflowStateMachine(templateWithContext);
      machine.start();

      // Assert
      assert.strictEqual(machine.getState().contextActionExecuted, false);
    });

    test('contextActionExecuted resets when advancing to next step', () => {
      // Arrange
      const machine = new WorkflowStateMachine(templateWithContext);
      machine.start();
      machine.markContextActionExecuted();
      assert.strictEqual(machine.getState().contextActionExecuted, true);

      // Act
      machine.advance('Done');

      // Assert - should be reset for new step
      assert.strictEqual(machine.getState().contextActionExecuted, false);
    });

    test('contextActionExecuted resets when advancing loop sub-steps', () => {
      // Arrange
      const template = loadWorkflowTemplateFromString(`
name: test
description: Test
loops:
  my_loop:
    - id: sub1
      context: clear
      instructions: Sub 1
    - id: sub2
      context: compact
      instructions: Sub 2
steps:
  - id: step1
    type: loop
`);
      const machine = new WorkflowStateMachine(template);
      machine.start();
      machine.setTasks('step1', [{ id: 't1', title: 'Task 1', status: 'pending' }]);
      machine.markContextActionExecuted();

      // Act - advance to next sub-step
      machine.advance('Sub 1 done');

      // Assert - should be reset for new sub-step
      assert.strictEqual(machine.getState().contextActionExecuted, false);
    });

    test('contextActionExecuted resets for each ralph iteration', () => {
      // Arrange
      const template = loadWorkflowTemplateFromString(`
name: test
description: Test
steps:
  - id: refine
    type: ralph
    n: 3
    context: compact
    instructions: Refine
`);
      const machine = new WorkflowStateMachine(template);
      machine.start();
      machine.markContextActionExecuted();

      // Act - advance to next iteration
      machine.advance('Iter 1');

      // Assert - should be reset for next iteration
      assert.strictEqual(machine.getState().contextActionExecuted, false);
    });
  });

  suite('State Persistence', () => {
    test('contextActionExecuted is preserved when restoring state', () => {
      // Arrange
      const machine1 = new WorkflowStateMachine(templateWithContext);
      machine1.start();
      machine1.markContextActionExecuted();

      const savedState = machine1.getState();

      // Act - restore from saved state
      const machine2 = WorkflowStateMachine.fromState(templateWithContext, savedState);

      // Assert
      assert.strictEqual(machine2.getState().contextActionExecuted, true);
    });

    test('contextActionExecuted false is preserved when restoring state', () => {
      // Arrange
      const machine1 = new WorkflowStateMachine(templateWithContext);
      machine1.start();
      // Don't mark as executed - should stay false

      const savedState = machine1.getState();

      // Act
      const machine2 = WorkflowStateMachine.fromState(templateWithContext, savedState);

      // Assert
      assert.strictEqual(machine2.getState().contextActionExecuted, false);
    });
  });
});

suite('Invalid Templates', () => {
  test('Loader rejects template with invalid context value', () => {
    const invalidYaml = `
name: invalid-context
description: A template
steps:
  - id: step1
    type: action
    context: invalid
    instructions: Do something
`;
    assert.throws(
      () => loadWorkflowTemplateFromString(invalidYaml),
      WorkflowValidationError,
      'Should throw WorkflowValidationError for invalid context value',
    );
  });

  test('Loader accepts template with valid context: clear', () => {
    const validYaml = `
name: valid-clear
description: A template
steps:
  - id: step1
    type: action
    context: clear
    instructions: Do something
`;
    const template = loadWorkflowTemplateFromString(validYaml);
    assert.strictEqual(template.steps[0].context, 'clear');
  });

  test('Loader accepts template with valid context: compact', () => {
    const validYaml = `
name: valid-compact
description: A template
steps:
  - id: step1
    type: action
    context: compact
    instructions: Do something
`;
    const template = loadWorkflowTemplateFromString(validYaml);
    assert.strictEqual(template.steps[0].context, 'compact');
  });
});
