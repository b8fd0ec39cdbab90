/** The forms of a report besides `--json`. */
export const formats = ['text', 'github', 'sarif'] as const;

export type Format = (typeof formats)[number];
