/** The Kubernetes release whose behavior ots reproduces: the embedded server says so, and its facts were recorded from it. */
export const kubernetesVersion = { major: '1', minor: '36', patch: '3' } as const;
