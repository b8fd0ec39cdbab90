import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { validateValue } from 'ots-apiserver/validation';
import { type Client, type DeepReadonly, unstructured } from 'ots-runtime';

/**
 * Checks the objects of a kind against the schemas of its new definition, for every version that both definitions serve. Fields that the new
 * schema does not have are not an error: the server drops them.
 *
 * @returns what is wrong with the first object that the new schema refuses
 */
export async function violation(
  current: DeepReadonly<CustomResourceDefinition>,
  { spec }: CustomResourceDefinition,
  live: Client,
): Promise<string | undefined> {
  const served = new Set(current.spec.versions.filter((each) => each.served).map(({ name }) => name));
  for (const { name: version, served: isServed, schema } of spec.versions) {
    const properties = schema?.openAPIV3Schema?.properties ?? {};
    if (!isServed || !served.has(version)) continue;
    const { kind, plural } = spec.names;
    const type = unstructured({
      apiVersion: `${spec.group}/${version}`,
      kind,
      plural,
      scope: spec.scope as 'Cluster',
    });
    for await (const object of live.items(type)) {
      const problems = ['spec', 'status'].flatMap((field) =>
        properties[field] && object[field] !== undefined
          ? validateValue(object[field], properties[field], field)
          : [],
      );
      const [problem] = problems.filter(({ message }) => !message.endsWith('must not have unknown fields'));
      if (!problem) continue;
      const { namespace, name } = object.metadata;
      const subject = `${spec.group}/${version}, Kind=${kind} "${namespace === undefined ? '' : `${namespace}/`}${name}"`;
      return `error validating ${subject}: updated validation is too restrictive: ${problem.field}: ${problem.message}`;
    }
  }
  return undefined;
}
