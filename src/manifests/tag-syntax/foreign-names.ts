/** Markers of Go tools that have no meaning in a TypeScript project. */
export const ignoredMarkers =
  /^(?:kubebuilder:(?:object|scaffold|ac)(?::|$)|k8s:(?:deepcopy|openapi|conversion|defaulter|protobuf)-gen(?::|$))/;

const uniqueItems = 'the API server refuses uniqueItems; write @listType set';

/** Names that authors may expect, and what to write instead. */
export const replacements: ReadonlyMap<string, string> = new Map([
  ['min', 'write @minimum, @minLength or @minItems'],
  ['max', 'write @maximum, @maxLength or @maxItems'],
  ['uniqueItems', uniqueItems],
  ['items.uniqueItems', uniqueItems],
  ['kubebuilder:validation:UniqueItems', uniqueItems],
  ['kubebuilder:validation:items:UniqueItems', uniqueItems],
  ['k8s:uniqueItems', uniqueItems],
  ['kubebuilder:validation:nullable', 'write +nullable or @nullable'],
  ['kubebuilder:validation:optional', 'write +optional, or nothing: the `?` after the name says it'],
  ['kubebuilder:validation:required', 'write +required, or nothing: no `?` after the name says it'],
]);

/** TSDoc and JSDoc tags: documentation, which other tools read. */
export const documentation: ReadonlySet<string> = new Set(
  (
    'abstract access alpha async augments author beta borrows callback category class classdesc constant constructor constructs ' +
    'copyright decorator default defaultValue deprecated description enum event eventProperty example exception experimental export ' +
    'exports extends external file fileoverview fires function generator global group hidden hideconstructor host ignore implements ' +
    'import inheritDoc inheritdoc inner instance interface internal jsx kind label lends license link linkcode linkplain listens member ' +
    'memberof memberOf method mixes mixin module name namespace note overload override overview package packageDocumentation param ' +
    'preserve private privateRemarks prop property protected public readonly remarks requires return returns satisfies sealed see ' +
    'since static summary suppress template this throws todo ts-check ts-expect-error ts-ignore ts-nocheck tutorial type typedef ' +
    'typeParam typeparam types variation version virtual vitest-environment warning yields'
  ).split(' '),
);
