/** The client of a request. */
export interface RequestClient {
  /** Aborts when the client gives up before the answer. Created on first use. */
  readonly signal: AbortSignal;
}
