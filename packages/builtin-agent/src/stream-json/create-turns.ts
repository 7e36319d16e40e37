/** What was handed to the agent, until its turn is over and the agent rests. */
export interface Turns {
  /** Whether the agent reports its own state; an older one does not. */
  tellsState: boolean;
  begin(promptId?: string): { readonly uuid: string; readonly ended: Promise<void> };
  /** The agent has taken it: the id of the prompt the first time, and nothing for a command. */
  accepted(uuid: string): string | undefined;
  over(uuid: string): void;
  rest(): void;
  isResting(): boolean;
}

interface Turn {
  promptId: string | undefined;
  isOver: boolean;
  end(): void;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `newId` gives UUIDs: the agent takes no other names for prompts. */
export function createTurns(newId: () => string): Turns {
  const open = new Map<string, Turn>();
  let isAtWork = false;
  const turns: Turns = {
    tellsState: false,
    begin(promptId) {
      const uuid = promptId !== undefined && UUID.test(promptId) ? promptId : newId();
      isAtWork = true;
      const ended = new Promise<void>((end) => {
        open.set(uuid, { promptId, isOver: false, end });
      });
      return { uuid, ended };
    },
    accepted(uuid) {
      isAtWork = true;
      const turn = open.get(uuid);
      const promptId = turn?.promptId;
      if (turn !== undefined) turn.promptId = undefined;
      return promptId;
    },
    over(uuid) {
      const turn = open.get(uuid);
      if (turn !== undefined) turn.isOver = true;
    },
    rest() {
      isAtWork = false;
      for (const [uuid, { isOver, end }] of open) {
        if (!isOver && turns.tellsState) continue;
        open.delete(uuid);
        end();
      }
    },
    isResting: () => !isAtWork && open.size === 0,
  };
  return turns;
}
