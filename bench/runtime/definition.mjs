// The kind that the operators reconcile.
const object = (properties, required = []) => ({ type: 'object', properties, required });

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'samples.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    names: { kind: 'Sample', listKind: 'SampleList', plural: 'samples', singular: 'sample' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: object({
            spec: object({ seed: { type: 'integer', format: 'int64' }, payload: { type: 'string' } }, [
              'seed',
              'payload',
            ]),
            // kopf keeps its progress here.
            status: {
              ...object({ observed: { type: 'integer', format: 'int64' } }),
              'x-kubernetes-preserve-unknown-fields': true,
            },
          }),
        },
      },
    ],
  },
};

/** One object of 1 KB. */
export function sample(name, seed = 1) {
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Sample',
    metadata: { name, namespace: 'default' },
    spec: { seed, payload: 'x'.repeat(1000) },
  };
}
