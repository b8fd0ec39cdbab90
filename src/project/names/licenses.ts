/** The licenses whose header ots can write. */
export const licenses = ['apache2', 'mit', 'none'] as const;

export type License = (typeof licenses)[number];
