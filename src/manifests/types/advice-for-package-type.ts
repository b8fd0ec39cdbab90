import { missingTypeSchema } from 'ots-kubernetes/type-schemas';
import { closestName } from 'ots-apimachinery/closest-name';
import { builtinModule, builtinSpecifiers, builtinTypeNames } from '../schema/builtin-types.ts';
import type { Advice } from './unsupported-types.ts';

/** The maximum number of names that a hint lists. */
const maxListed = 20;

const interfaceHint = 'declare an interface with the properties that you need';

/**
 * Explains why a type that is imported from a package has no schema, and what to write instead.
 * @param specifier the import specifier, which is not a file of the project
 */
export function adviceForPackageType(specifier: string, name: string): Advice {
  const module = builtinModule(specifier);
  if (module === undefined) return adviceForForeignType(specifier, name);
  const reason = missingTypeSchema(module, name);
  if (reason !== undefined) {
    return {
      message: `${name} of ${specifier} cannot be part of a CRD: ${reason}`,
      hint: `refer to such objects by their name, or ${interfaceHint}`,
    };
  }
  const names = builtinTypeNames(specifier);
  if (names.length === 0) return adviceForModule(specifier, name);
  return {
    message: `${name} of ${specifier} has no schema`,
    hint: importHint(name) ?? hintForNames(name, names),
  };
}

function adviceForModule(specifier: string, name: string): Advice {
  const specifiers = builtinSpecifiers();
  const suggestion = closestName(specifier, specifiers);
  const hint = suggestion ? `did you mean ${suggestion}?` : `there are ${specifiers.join(', ')}`;
  return { message: `${specifier} is not a module with types of Kubernetes`, hint: importHint(name) ?? hint };
}

/**
 * Other packages describe Kubernetes too, but lack what a schema needs: number formats, defaults and list map
 * keys.
 */
function adviceForForeignType(specifier: string, name: string): Advice {
  const [, path] = /^kubernetes-types\/(.+)$/.exec(specifier) ?? [];
  const [, version, short] = /^(?:[A-Z][a-z]+)?V(\d+)([A-Z]\w*)$/.exec(name) ?? [];
  const hint =
    path !== undefined
      ? importHint(name, path)
      : specifier === '@kubernetes/client-node'
        ? importHint(short ?? name, `v${version}`)
        : undefined;
  return {
    message: `${name} comes from ${specifier}`,
    hint: hint ?? 'declare the type in this project; types of other packages are not read',
  };
}

/** @param suffix end of the intended module's specifier, if several modules have a type of that name */
function importHint(name: string, suffix = ''): string | undefined {
  const specifiers = builtinSpecifiers().filter((specifier) => builtinTypeNames(specifier).includes(name));
  const exact = specifiers.filter((specifier) => specifier.endsWith(`/${suffix}`));
  const imports = (exact.length > 0 ? exact : specifiers).map(
    (specifier) => `import type { ${name} } from '${specifier}'`,
  );
  return imports.length > 0 ? `write ${imports.join(', or ')}` : undefined;
}

function hintForNames(name: string, names: readonly string[]): string {
  const suggestion = closestName(name, names);
  if (suggestion) return `did you mean ${suggestion}?`;
  return names.length > maxListed ? interfaceHint : `API types can use ${names.join(', ')}`;
}
