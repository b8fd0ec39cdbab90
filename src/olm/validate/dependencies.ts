import { type Dependency, dependencyText } from '../bundle/dependencies.ts';
import { isObject, valueOf } from '../bundle/json.ts';
import { isSemverRange } from '../versions/semver-range.ts';

/** What is wrong with one dependency of a bundle. */
export function dependencyProblems(dependency: Dependency): string[] {
  const { type, value } = dependency;
  if (!isObject(value)) return [unreadable(type)];
  switch (type) {
    case 'olm.gvk':
      return fieldProblems(dependency, { group: 'a group', version: 'a version', kind: 'a kind' });
    case 'olm.package':
      return packageProblems(dependency);
    case 'olm.label':
      return fieldProblems(dependency, { label: 'a label' });
    case 'olm.constraint':
      return constraintProblems(value);
    default:
      return [unreadable(type)];
  }
}

function unreadable(type: string): string {
  const known = 'olm.package, olm.gvk, olm.label or olm.constraint, with an object as its value';
  return `a dependency of type "${type}" cannot be read; OLM knows ${known}`;
}

function fieldProblems(dependency: Dependency, fields: Readonly<Record<string, string>>): string[] {
  const texts = Object.entries(fields).map(([name, what]) => ({
    what,
    text: dependencyText(dependency, name),
  }));
  if (texts.some(({ text }) => text === undefined)) return [unreadable(dependency.type)];
  return texts
    .filter(({ text }) => text === '')
    .map(({ what }) => `a dependency of type ${dependency.type} needs ${what}`);
}

function packageProblems(dependency: Dependency): string[] {
  const problems = fieldProblems(dependency, { packageName: 'a packageName', version: 'a version' });
  const version = dependencyText(dependency, 'version') ?? '';
  if (version === '' || isSemverRange(version)) return problems;
  return [...problems, `the version "${version}" of a dependency is not a range such as >=1.0.0`];
}

/** Of constraints, the bundle format accepts only those in CEL. */
function constraintProblems(value: object): string[] {
  const cel = valueOf(value, 'cel') ?? undefined;
  const message = valueOf(value, 'failureMessage') ?? '';
  if ((cel !== undefined && !isObject(cel)) || typeof message !== 'string')
    return [unreadable('olm.constraint')];
  if (cel === undefined)
    return ['a dependency of type olm.constraint needs cel; other constraints are for catalogs'];
  const rule = valueOf(cel, 'rule') ?? '';
  if (typeof rule !== 'string') return [unreadable('olm.constraint')];
  return rule === '' ? ['a dependency of type olm.constraint needs cel.rule'] : [];
}
