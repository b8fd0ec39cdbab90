import type { Combination } from '../combination.ts';

/** Types of the language. */
export const typeCombinations: readonly Combination[] = [
  {
    name: 'scalars',
    typescript: 'a: string; b: boolean; c: int32; d: int64;',
    go: `
      A string json:"a"
      B bool json:"b"
      C int32 json:"c"
      D int64 json:"d"`,
  },
  {
    name: 'numbers with a fraction',
    typescript: 'a: float; b: double;',
    go: `
      A float32 json:"a"
      B float64 json:"b"`,
  },
  {
    name: 'optional and required fields',
    typescript: 'b: string; a: string; c?: string; d: string | undefined;',
    go: `
      B string json:"b"
      A string json:"a"
      C *string json:"c,omitempty"
      // +optional
      D string json:"d"`,
  },
  {
    name: 'required names of every sort, which are sorted by their bytes',
    typescript: `a_b: string; aB: string; a10: string; a2: string; a: string; 'a-b': string; A: string;`,
    go: `
      F1 string json:"a_b"
      F2 string json:"aB"
      F3 string json:"a10"
      F4 string json:"a2"
      F5 string json:"a"
      F6 string json:"a-b"
      F7 string json:"A"`,
  },
  {
    name: 'null',
    typescript: 'a: string | null; /** @nullable */ b?: int32; c?: { d: string } | null;',
    types: { typescript: '', go: 'type C struct {\n D string json:"d"\n}' },
    go: `
      // +nullable
      A *string json:"a"
      // +nullable
      B *int32 json:"b,omitempty"
      // +nullable
      C *C json:"c,omitempty"`,
  },
  {
    name: 'lists',
    typescript: 'a: string[]; b?: int32[][]; c: readonly boolean[]; d: Array<int64>;',
    go: `
      A []string json:"a"
      B [][]int32 json:"b,omitempty"
      C []bool json:"c"
      D [3]int64 json:"d"`,
  },
  {
    name: 'maps',
    typescript:
      'a: Record<string, string>; b: Record<string, Record<string, int32>>; c: Record<string, Part[]>;',
    types: { typescript: 'interface Part { x: string }', go: 'type Part struct {\n X string json:"x"\n}' },
    go: `
      A map[string]string json:"a"
      B map[string]map[string]int32 json:"b"
      C map[string][]Part json:"c"`,
  },
  {
    name: 'objects within objects',
    typescript: 'a: { b: { c?: string }; d: { e: string }[] };',
    types: {
      typescript: '',
      go: `
        type A struct {
          B B json:"b"
          D []D json:"d"
        }
        type B struct {
          C string json:"c,omitempty"
        }
        type D struct {
          E string json:"e"
        }`,
    },
    go: 'A A json:"a"',
  },
  {
    name: 'an object without properties',
    typescript: 'a: {};',
    types: { typescript: '', go: 'type Empty struct{}' },
    go: 'A Empty json:"a"',
  },
  {
    name: 'a type that is embedded',
    typescript: 'a: Whole;',
    types: {
      typescript: `
        interface Part { x: string; y?: int32 }
        interface Other { z: boolean }
        interface Whole extends Part, Other { w: string }`,
      go: `
        type Part struct {
          X string json:"x"
          Y int32 json:"y,omitempty"
        }
        type Other struct {
          Z bool json:"z"
        }
        type Whole struct {
          Part json:",inline"
          Other json:",inline"
          W string json:"w"
        }`,
    },
    go: 'A Whole json:"a"',
  },
  {
    name: 'an enum of strings',
    typescript: `a: 'B' | 'A'; b?: Policy; c: Policy[]; d: Record<string, Policy>;`,
    types: {
      typescript: `type Policy = 'Allow' | 'Forbid' | 'Replace';`,
      go: `
        // +kubebuilder:validation:Enum=Allow;Forbid;Replace
        type Policy string`,
    },
    go: `
      // +kubebuilder:validation:Enum=B;A
      A string json:"a"
      B Policy json:"b,omitempty"
      C []Policy json:"c"
      D map[string]Policy json:"d"`,
  },
  {
    name: 'an enum of the constants of Go',
    typescript: 'a: Mode;',
    types: {
      typescript: `type Mode = 'Auto' | 'Manual';`,
      go: `
        // +k8s:enum
        type Mode string
        const (
          Auto Mode = "Auto"
          Manual Mode = "Manual"
        )`,
    },
    go: 'A Mode json:"a"',
  },
  {
    name: 'an enum of numbers',
    typescript: 'a: 1 | 2 | 3;',
    go: `
      // +kubebuilder:validation:Enum=1;2;3
      A int json:"a"`,
  },
  {
    name: 'named scalars, lists and maps',
    typescript: 'a: Name; b: Names; c: Labels;',
    types: {
      typescript: `
        /** A name. @minLength 1 */
        type Name = string;
        /** @maxItems 3 */
        type Names = Name[];
        type Labels = Record<string, Name>;`,
      go: `
        // A name.
        // +kubebuilder:validation:MinLength=1
        type Name string
        // +kubebuilder:validation:MaxItems=3
        type Names []Name
        type Labels map[string]Name`,
    },
    go: `
      A Name json:"a"
      B Names json:"b"
      C Labels json:"c"`,
  },
  {
    name: 'a generic type, which Go must write out',
    typescript: 'a: Box<string>; b: Box<Item>;',
    types: {
      typescript: 'interface Item { x: string } interface Box<T> { value: T; more?: T[] }',
      go: `
        type Item struct {
          X string json:"x"
        }
        type StringBox struct {
          Value string json:"value"
          More []string json:"more,omitempty"
        }
        type ItemBox struct {
          Value Item json:"value"
          More []Item json:"more,omitempty"
        }`,
    },
    go: `
      A StringBox json:"a"
      B ItemBox json:"b"`,
  },
  {
    name: 'types of Kubernetes without a structure',
    typescript:
      'a: IntOrString; b?: Quantity; c: Time; d: MicroTime; e: Duration; f: Record<string, Quantity>;',
    go: `
      A intstr.IntOrString json:"a"
      B *resource.Quantity json:"b,omitempty"
      C metav1.Time json:"c"
      D metav1.MicroTime json:"d"
      E metav1.Duration json:"e"
      F corev1.ResourceList json:"f"`,
  },
  {
    name: 'bytes',
    typescript: '/** @format byte */ a: string;',
    go: 'A []byte json:"a"',
  },
  {
    name: 'fields that are left open',
    typescript: '/** @preserveUnknownFields */ a: object; /** @preserveUnknownFields */ b: unknown;',
    go: `
      A runtime.RawExtension json:"a"
      B apiextensionsv1.JSON json:"b"`,
  },
  {
    name: 'a whole object that is embedded',
    typescript: '/** @preserveUnknownFields @embeddedResource */ a: object;',
    go: `
      // +kubebuilder:pruning:PreserveUnknownFields
      // +kubebuilder:validation:EmbeddedResource
      A runtime.RawExtension json:"a"`,
  },
  {
    name: 'a field without the schema of its type',
    typescript: '/** @schemaless @preserveUnknownFields @type object */ a: Part;',
    types: { typescript: 'interface Part { x: string }', go: 'type Part struct {\n X string json:"x"\n}' },
    go: `
      // +kubebuilder:validation:Schemaless
      // +kubebuilder:pruning:PreserveUnknownFields
      // +kubebuilder:validation:Type=object
      A Part json:"a"`,
  },
  {
    name: 'descriptions: of the field, or else of its type',
    typescript: `
      /** Of the field. */
      a: Part;
      b: Part;
      /**
       * Of the field, in two paragraphs
       * and three lines.
       *
       * The second one.
       */
      c: string;
      /** Up to here. TODO in a line. */
      d: string;
      /**
       * Kept.
       * TODO: left out
       * ---
       * Left out as well.
       */
      e: string;`,
    types: {
      typescript: '/** Of the type. */ interface Part { /** Of its property. */ x: string }',
      go: `
        // Of the type.
        type Part struct {
          // Of its property.
          X string json:"x"
        }`,
    },
    go: `
      // Of the field.
      A Part json:"a"
      B Part json:"b"
      // Of the field, in two paragraphs
      // and three lines.
      //
      // The second one.
      C string json:"c"
      // Up to here. TODO in a line.
      D string json:"d"
      // Kept.
      // TODO: left out
      // ---
      // Left out as well.
      E string json:"e"`,
  },
  {
    name: 'types that are made from others, which Go must write out',
    typescript:
      'a: Pick<Part, "x">; b: Omit<Part, "x">; c: Partial<Part>; d: Required<Part>; e: Part & Other;',
    types: {
      typescript: 'interface Part { x: string; y?: int32 } interface Other { z: boolean }',
      go: `
        type A struct {
          X string json:"x"
        }
        type B struct {
          Y int32 json:"y,omitempty"
        }
        type C struct {
          X string json:"x,omitempty"
          Y int32 json:"y,omitempty"
        }
        type D struct {
          X string json:"x"
          Y int32 json:"y"
        }
        type E struct {
          X string json:"x"
          Y int32 json:"y,omitempty"
          Z bool json:"z"
        }`,
    },
    go: `
      A A json:"a"
      B B json:"b"
      C C json:"c"
      D D json:"d"
      E E json:"e"`,
  },
  {
    name: 'an integer or a string, and a map by its signature',
    typescript: 'a: int32 | string; b: { [key: string]: boolean };',
    go: `
      A intstr.IntOrString json:"a"
      B map[string]bool json:"b"`,
  },
  {
    name: 'an enum of an object of constants',
    typescript: 'a: Color; b?: keyof typeof Color;',
    types: {
      typescript: `const Color = { Red: 'red', Blue: 'blue' } as const; type Color = (typeof Color)[keyof typeof Color];`,
      go: `
        // +kubebuilder:validation:Enum=red;blue
        type Color string
        // +kubebuilder:validation:Enum=Red;Blue
        type ColorName string`,
    },
    go: `
      A Color json:"a"
      B ColorName json:"b,omitempty"`,
  },
  {
    name: 'an enum that can be null',
    typescript: `a: 'A' | 'B' | null;`,
    go: `
      // +nullable
      // +kubebuilder:validation:Enum=A;B
      A *string json:"a"`,
  },
  {
    name: 'comments in lines, with markers between them',
    typescript: `
      // +kubebuilder:validation:MinLength=1
      /** Of the field. */
      // +kubebuilder:validation:MaxLength=9
      a: string;
      /**
       * Before.
       * +kubebuilder:validation:MinLength=1
       * After.
       */
      b: string;`,
    go: `
      // +kubebuilder:validation:MinLength=1

      // Of the field.
      // +kubebuilder:validation:MaxLength=9
      A string json:"a"
      // Before.
      // +kubebuilder:validation:MinLength=1
      // After.
      B string json:"b"`,
  },
  {
    name: 'descriptions with lists and code',
    typescript: `
      /**
       * Items:
       *   - one
       *   - two
       *
       * \`\`\`yaml
       * TODO: stays
       * ---
       * a: b
       * \`\`\`
       * Done: 100%, "quoted", 'single', #hash and é.
       */
      a: string;
      /** A trailing star * and @ an at, and a@b.c */
      b: string;`,
    go: `
      // Items:
      //   - one
      //   - two
      //
      // \`\`\`yaml
      // TODO: stays
      // ---
      // a: b
      // \`\`\`
      // Done: 100%, "quoted", 'single', #hash and é.
      A string json:"a"
      // A trailing star * and @ an at, and a@b.c
      B string json:"b"`,
  },
  {
    name: 'lists and maps of an enum with a description',
    typescript: 'b: Record<string, Policy>; c: Policy[];',
    types: {
      typescript: `/** One of two. */ type Policy = 'A' | 'B';`,
      go: `
        // One of two.
        // +kubebuilder:validation:Enum=A;B
        type Policy string`,
    },
    go: `
      B map[string]Policy json:"b"
      C []Policy json:"c"`,
  },
];
