/** The shells that ots has a completion script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
