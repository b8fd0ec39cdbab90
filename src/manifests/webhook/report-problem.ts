/** The path to a part of a webhook: field names and indices. */
export type WebhookPath = readonly (string | number)[];

/**
 * Reports what is wrong with a part of a webhook.
 * @param problem continues a sentence that begins with the name of the part: `cannot be 31`
 */
export type ReportProblem = (path: WebhookPath, problem: string, hint?: string) => void;
