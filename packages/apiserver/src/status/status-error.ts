/** One cause of a refusal, as clients read it in `details.causes`. */
interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** The object that a refusal is about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The `Status` object that answers a request which has no object to return. */
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

/** Refuses a request. The HTTP layer sends its Status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** The body of the answer. */
  readonly status: Status & { code: number; message: string };
  /** Warnings sent with the body. */
  warnings: readonly string[] = [];

  /**
   * @param code the HTTP status code
   * @param reason the machine-readable reason, such as `NotFound`; undefined where a real server sends none
   * @param message the human-readable message
   * @param details the object it is about
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
