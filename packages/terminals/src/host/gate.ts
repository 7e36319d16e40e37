import { type Challenge, issueChallenge } from '../admission/challenge.js';
import { type Landmarks, type Seat, seatOf } from '../admission/seat.js';
import type { RequestName } from '../protocol/messages.js';
import { type HostRoom, Refused } from './answer-request.js';

/** Guards the requests of one client: nothing is answered until the client has proven which process it is. */
export interface Gate {
  /** The file that the caller opens. */
  readonly challenge: string;
  /** Throws `Refused` where that process does not hold the file. */
  prove(pid: number): void;
  /** The part of the room that the caller may use for a request. Throws `Refused` where there is none. */
  admit(method: RequestName | 'write', room: HostRoom): HostRoom;
  close(): void;
}

/** Before a caller has proved itself. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set<RequestName>(['hello', 'prove']);
/** What who sits in a hosted terminal may ask, of the own one. */
const OPEN_INSIDE: ReadonlySet<string> = new Set<RequestName>(['list']);

export function openGate(folder: string, landmarks: () => Landmarks): Gate {
  let issued: Challenge | undefined;
  let seat: Seat | undefined;
  return {
    get challenge() {
      issued ??= issueChallenge(folder);
      return issued.name;
    },
    prove(pid) {
      if (seat !== undefined) return;
      if (issued?.isMetBy(pid) !== true) {
        throw new Refused('not-allowed', `process ${pid} did not show that it is the caller`);
      }
      issued.close();
      seat = seatOf(pid, landmarks());
    },
    admit(method, room) {
      if (OPEN_TO_ALL.has(method)) return room;
      if (seat === undefined) {
        throw new Refused('not-allowed', 'the caller did not show which process it is; use this version of devs');
      }
      if (seat.kind === 'outside') return room;
      if (OPEN_INSIDE.has(method)) return ownRoom(room, seat.terminalId);
      const where = seat.terminalId === undefined ? 'a terminal of devs' : `the terminal ${seat.terminalId}`;
      throw new Refused('not-allowed', `${method} was asked for inside of ${where}, where only its own status is open`);
    },
    close: () => issued?.close(),
  };
}

function ownRoom(room: HostRoom, terminalId: string | undefined): HostRoom {
  const get = (wanted: string) => (wanted === terminalId ? room.get(wanted) : undefined);
  return {
    ...room,
    get,
    all: () => [terminalId === undefined ? undefined : get(terminalId)].filter((own) => own !== undefined),
  };
}
