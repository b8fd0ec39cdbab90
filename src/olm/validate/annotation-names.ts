import { type Finding, reporter } from '../finding.ts';

/** Annotations that OLM reads, whose case matters. Source: the API of OLM. */
const known = new Map(
  [
    'olm.operatorGroup',
    'olm.operatorNamespace',
    'olm.targetNamespaces',
    'olm.providedAPIs',
    'olm.skipRange',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Finds annotations of OLM in the wrong case, and one that moved to a file. */
export function validateAnnotationNames(
  validator: string,
  annotations: Readonly<Record<string, string>>,
  { file, value }: { file: string; value: string },
): Finding[] {
  const { error, warning } = reporter(validator);
  return Object.keys(annotations).flatMap((name) => {
    const right = known.get(name.toLowerCase());
    if (right !== undefined && right !== name)
      return [
        error({
          type: 'ValidationFailed',
          value,
          file,
          detail: `metadata.annotations[${name}] is not read by OLM: write ${right}`,
        }),
      ];
    if (name !== 'olm.properties') return [];
    return [
      warning({
        type: 'PropertiesAnnotationUsed',
        file,
        detail: 'metadata.annotations[olm.properties] belongs into metadata/properties.yaml',
      }),
    ];
  });
}
