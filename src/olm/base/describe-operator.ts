import { type JsonObject, isObject } from '../bundle/json.ts';

/** What an author says about an operator. What is undefined stays as it is. */
export interface OperatorDescription {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly providerName?: string | undefined;
  /** Empty: the provider has none. */
  readonly providerUrl?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly maintainers?: readonly { readonly name: string; readonly email: string }[] | undefined;
  readonly minKubeVersion?: string | undefined;
  readonly icon?: { readonly base64data: string; readonly mediatype: string } | undefined;
}

/** Writes the description into a ClusterServiceVersion. */
export function describeOperator(csv: JsonObject, said: OperatorDescription): JsonObject {
  const spec = isObject(csv['spec']) ? csv['spec'] : {};
  const { displayName, description, keywords, maintainers, minKubeVersion, icon } = said;
  const provider = providerOf(isObject(spec['provider']) ? spec['provider'] : {}, said);
  return {
    ...csv,
    spec: {
      ...spec,
      ...(displayName !== undefined && { displayName }),
      ...(description !== undefined && { description }),
      ...(Object.keys(provider).length > 0 && { provider }),
      ...(keywords && { keywords: [...keywords] }),
      ...(maintainers && { maintainers: maintainers.map((each) => ({ ...each })) }),
      ...(minKubeVersion !== undefined && { minKubeVersion }),
      ...(icon && { icon: [{ ...icon }] }),
    },
  };
}

function providerOf(former: JsonObject, { providerName, providerUrl }: OperatorDescription): JsonObject {
  const { url, ...rest } = former;
  return {
    ...rest,
    ...(providerName !== undefined && { name: providerName }),
    ...(providerUrl === undefined
      ? url !== undefined && { url }
      : providerUrl !== '' && { url: providerUrl }),
  };
}
