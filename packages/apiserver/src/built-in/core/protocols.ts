/** The protocols of a port, in the order of messages. */
export const protocols = ['SCTP', 'TCP', 'UDP'] as const;
