import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { clip } from '../../../screen/clip.js';
import { mermaidLabel, renderMermaid } from '../render-mermaid.js';
import { workflowGraph } from '../workflow-graph.js';
import { randomTemplate } from './random-template.js';

const LABEL = String.raw`"((?:[^"\[\](){}<>|\x60#;:&%\\]|#\d+;|<br/>)+)"`;
const NODE = new RegExp(String.raw`^ {2,4}(\w+)(?:\[${LABEL}\]|\(\["(?:start|done|failed)"\]\))$`);
const GROUP = new RegExp(String.raw`^ {2}subgraph (\w+)\[${LABEL}\]$`);
const EDGE = new RegExp(String.raw`^ {2}(\w+) (?:-->|-->\|${LABEL}\||-\.->\|${LABEL}\|) (\w+)$`);

describe('a Mermaid flowchart', () => {
  it('is well formed for any ids and texts', () => {
    const random = createRandom(seed());

    for (let round = 0; round < rounds(300); round++) {
      const [head, ...lines] = renderMermaid(workflowGraph(randomTemplate(random)));
      const matching = (pattern: RegExp) => lines.flatMap((line) => pattern.exec(line) ?? []);
      const declared = lines.flatMap((line) => NODE.exec(line)?.[1] ?? []);
      const groups = lines.filter((line) => GROUP.test(line));
      const ends = lines.filter((line) => line === '  end');
      const edges = lines.flatMap((line) => {
        const edge = EDGE.exec(line);
        return edge === null ? [] : [[edge[1] ?? '', edge.at(-1) ?? '']];
      });

      expect(head).toBe('flowchart TD');
      expect(declared.length + groups.length + ends.length + edges.length).toBe(lines.length);
      expect(ends.length).toBe(groups.length);
      expect(new Set(declared).size).toBe(declared.length);
      expect(edges.flat().filter((id) => !declared.includes(id))).toEqual([]);
      expect(matching(/\n|\r/)).toEqual([]);
    }
  });

  it('shows texts as they are: entities mean the characters that were written', () => {
    const random = createRandom(seed() + 1);

    for (let round = 0; round < rounds(300); round++) {
      const { name } = randomTemplate(random);
      const shown = mermaidLabel(name).replace(/#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)));

      expect(shown).toBe(clip(name, 60));
    }
  });

  it('has loops as subgraphs with an edge back, and dotted edges for failures', () => {
    const graph = workflowGraph({
      name: 'x',
      description: 'y',
      loops: {
        each: [
          { id: 'code "it"', instructions: 'z' },
          { id: 'verify', instructions: 'z', on_fail: 'skip', context: 'compact', agent: 'critic' },
        ],
      },
      steps: [
        { id: 'plan', type: 'action', on_fail: 'abort' },
        { id: 'work', type: 'loop', loop: 'each', on_fail: 'retry' },
        { id: 'polish', type: 'ralph', n: 3, on_fail: 'skip' },
      ],
    });

    expect(renderMermaid(graph)).toEqual([
      'flowchart TD',
      '  start(["start"])',
      '  s1["plan"]',
      '  subgraph s2["work, for each task"]',
      '    s2_1["code #34;it#34;"]',
      '    s2_2["verify<br/>agent critic<br/>compact first"]',
      '  end',
      '  s3["polish<br/>×3"]',
      '  done(["done"])',
      '  failed(["failed"])',
      '  start --> s1',
      '  s1 -.->|"failed, abort"| failed',
      '  s1 --> s2_1',
      '  s2_1 --> s2_2',
      '  s2_2 -->|"next task"| s2_1',
      '  s2_1 -.->|"failed, retry ×3"| s2_1',
      '  s2_2 -.->|"failed, skip the task"| s2_1',
      '  s2_2 --> s3',
      '  s3 -->|"3 times"| s3',
      '  s3 -.->|"failed, skip"| done',
      '  s3 --> done',
    ]);
  });
});
