import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generate } from '../generate.ts';
import { goOf, typescriptOf } from './combination.ts';
import type { Combination } from './combination.ts';
import { hasGo, runControllerGen } from './controller-gen.ts';
import { differences, options } from './differences.ts';

// Random types and markers, the same in both languages: on a field, on its type, and on the items of a list.
const apiCount = 200;

const some = (...markers: string[]) => fc.subarray(markers);
const from = (low: number) => fc.integer({ min: low, max: low + 4 });
const validation = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.option(
    value.map((text) => `kubebuilder:validation:${name}=${String(text)}`),
    { nil: '', freq: 2 },
  );

/** The markers that a type can have. ots refuses those that contradict each other, so all values of the enums satisfy all of them. */
const markersOf = {
  string: [
    validation('MinLength', from(0)),
    validation('MaxLength', from(5)),
    validation('Pattern', fc.constantFrom('`^[a-z]*$`', '"^a\\\\w?"', 'z$')),
    validation('Format', fc.constant('hostname')),
    validation('Enum', fc.constant('abbz;"accz"')),
  ],
  integer: [
    validation('Minimum', from(0)),
    validation('Maximum', from(8)),
    validation('MultipleOf', fc.constantFrom(1, 2)),
    validation('Enum', fc.constant('8;4;6')),
  ],
  boolean: [],
} satisfies Record<string, fc.Arbitrary<string>[]>;
const listMarkers = [validation('MinItems', from(0)), validation('MaxItems', from(5))];
const mapMarkers = [validation('MinProperties', from(0)), validation('MaxProperties', from(5))];

const scalar = fc.constantFrom(
  { kind: 'string', ts: 'string', go: 'string' } as const,
  { kind: 'integer', ts: 'int32', go: 'int32' } as const,
  { kind: 'integer', ts: 'int64', go: 'int64' } as const,
  { kind: 'boolean', ts: 'boolean', go: 'bool' } as const,
);
const shape = fc.constantFrom('scalar', 'list', 'map');
const onEvery = some('kubebuilder:title=A title', 'kubebuilder:validation:XValidation:rule="true"');
const all = (arbitraries: fc.Arbitrary<string>[]) =>
  fc.tuple(...arbitraries).map((markers) => markers.filter((marker) => marker !== ''));

/** A field, and perhaps a name for its type, which has markers too; those of items go where the list is. */
const field = fc.tuple(scalar, shape).chain(([{ kind, ts, go }, form]) => {
  const own = form === 'list' ? listMarkers : form === 'map' ? mapMarkers : markersOf[kind];
  const items = form === 'list' ? all(markersOf[kind]) : fc.constant([]);
  return fc.record({
    ts: fc.constant(form === 'list' ? `${ts}[]` : form === 'map' ? `Record<string, ${ts}>` : ts),
    go: fc.constant(form === 'list' ? `[]${go}` : form === 'map' ? `map[string]${go}` : go),
    isNamed: fc.boolean(),
    onType: fc.tuple(all(own), onEvery).map((parts) => parts.flat()),
    onField: fc
      .tuple(all(own), onEvery, form === 'list' ? some('listType=atomic') : fc.constant([]))
      .map((parts) => parts.flat()),
    onItems: items.map((markers) =>
      markers.map((marker) => marker.replace('validation:', 'validation:items:')),
    ),
    isOptional: fc.boolean(),
  });
});

const api = fc.array(field, { minLength: 1, maxLength: 6 }).map((fields): Combination => {
  const lines = (markers: string[], text: string) =>
    [...markers.map((marker) => `// +${marker}`), text].join('\n');
  const types = fields.map((one, index) => ({ ...one, index })).filter(({ isNamed }) => isNamed);
  return {
    name: '',
    types: {
      typescript: types
        .map(({ onType, onItems, ts, index }) => lines([...onType, ...onItems], `type T${index} = ${ts};`))
        .join('\n'),
      go: types
        .map(({ onType, onItems, go, index }) => lines([...onType, ...onItems], `type T${index} ${go}\n`))
        .join('\n'),
    },
    typescript: fields
      .map(({ onField, onItems, ts, isNamed, isOptional }, index) =>
        lines(
          [...onField, ...(isNamed ? [] : onItems)],
          `f${index}${isOptional ? '?' : ''}: ${isNamed ? `T${index}` : ts};`,
        ),
      )
      .join('\n'),
    go: fields
      .map(({ onField, onItems, go, isNamed, isOptional }, index) =>
        lines(
          [...onField, ...(isNamed ? [] : onItems)],
          `F${index} ${isNamed ? `T${index}` : go} json:"f${index}${isOptional ? ',omitempty' : ''}"`,
        ),
      )
      .join('\n'),
  };
});

describe.skipIf(!hasGo)('controller-gen', () => {
  test(`makes the same CRDs of ${apiCount} random APIs`, () => {
    console.log(`seed: ${fc.readConfigureGlobal().seed}; others with FAST_CHECK_SEED=<number>`);
    const apis = fc
      .sample(api, apiCount)
      .map((combination, index) => ({ combination, group: `a${index}.example.com` }));
    const files = apis.map(({ combination, group }, index) => [
      `api${index}/types.go`,
      goOf(combination, group),
    ]);
    const written = runControllerGen(Object.fromEntries(files), [`crd:${options.join(',')}`]);
    for (const { combination, group } of apis) {
      const [crd] = written[`${group}_foos.yaml`]!;
      const go = goOf(combination, group);
      for (const { apply } of differences) apply?.(crd, go);
      const source = typescriptOf(combination, group);
      const ours = generate({ 'src/a.ts': source })[`config/crd/bases/${group}_foos.yaml`]![0];
      expect({ source, crd: ours }).toEqual({ source, crd });
    }
  });
});
