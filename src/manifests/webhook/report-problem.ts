/** Leads to a part of a webhook: field names and indices. */
export type WebhookPath = readonly (string | number)[];

/**
 * Reports what is wrong with a part of a webhook.
 * @param problem what is put after the name of the part: `cannot be 31`
 */
export type ReportProblem = (path: WebhookPath, problem: string, hint?: string) => void;
