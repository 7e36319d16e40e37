/** Everything that the protocol and the orchestrator report. The first three are seed 004's, with just its fields. */
export type LogEvent =
  | { readonly event: 'PARTIAL_COMPLETION_DETECTED'; readonly lastValidToken: string }
  | { readonly event: 'RESUME_SUCCEEDED' }
  | { readonly event: 'RESUME_FAILED' }
  | { readonly event: 'RESUME_TRIED'; readonly shownChars: number; readonly outcome: ResumeTry }
  | { readonly event: 'MALFORMED_RESPONSE_DETECTED'; readonly problems: readonly string[] }
  | { readonly event: 'CORRECTION_SUCCEEDED'; readonly corrections: number }
  | { readonly event: 'CORRECTION_FAILED'; readonly corrections: number; readonly problems: readonly string[] }
  | { readonly event: 'OBSERVATION_DISCARDED'; readonly turnIndex: number }
  | { readonly event: 'CONTEXT_REFRESHED'; readonly turnIndex: number }
  | { readonly event: 'CONTEXT_REFRESH_FAILED'; readonly turnIndex: number; readonly error: string }
  | { readonly event: 'USER_ESCALATION'; readonly turnIndex: number; readonly reason: string }
  | { readonly event: 'TURN_COMPLETED'; readonly turnIndex: number; readonly calls: number };

/** How one try at completing a cut-off answer went. */
export type ResumeTry = 'completed' | 'extended' | 'no-progress' | 'not-an-envelope' | `refused: ${string}`;

/** Contract: must not throw; called synchronously, in the order in which things happen. */
export interface Logger {
  log(event: LogEvent): void;
}
