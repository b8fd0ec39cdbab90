/** One reason of a refusal, as clients read it in `details.causes`. */
interface StatusCause {
  reason?: string;
  message: string;
  field?: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The `Status` object that answers a request which has no object to answer with. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** A request that is refused. The HTTP layer answers with its Status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** The body of the answer. */
  readonly status: Status & { code: number; message: string };
  /** Sent beside the body. */
  warnings: readonly string[] = [];

  /**
   * @param code the HTTP status code
   * @param reason the word for programs, such as `NotFound`; none where a real server gives none
   * @param message the sentence for people
   * @param details what it is about
   */
  constructor(code: number, reason: string | undefined, message: string, details?: StatusDetails) {
    super(message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason !== undefined && { reason }),
      ...(details && { details }),
      code,
    };
  }
}
