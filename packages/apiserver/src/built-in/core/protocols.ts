/** What a port can speak, in the order of messages. */
export const protocols = ['SCTP', 'TCP', 'UDP'] as const;
