import type { Combination } from '../combination.ts';

/** Tags and markers that constrain values. */
export const validationCombinations: readonly Combination[] = [
  {
    name: 'bounds of numbers',
    typescript: `
      /** @minimum 0 @maximum 9 */ a: int32;
      /** @exclusiveMinimum 0 */ b: int64;
      /** @exclusiveMaximum 9 @minimum -9 */ c: int32;
      /** @multipleOf 5 */ d: int32;
      /** @minimum 0.5 @maximum 1.5 */ e: double;`,
    go: `
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:Maximum=9
      A int32 json:"a"
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:ExclusiveMinimum=true
      B int64 json:"b"
      // +kubebuilder:validation:Maximum=9
      // +kubebuilder:validation:ExclusiveMaximum=true
      // +kubebuilder:validation:Minimum=-9
      C int32 json:"c"
      // +kubebuilder:validation:MultipleOf=5
      D int32 json:"d"
      // +kubebuilder:validation:Minimum=0.5
      // +kubebuilder:validation:Maximum=1.5
      E float64 json:"e"`,
  },
  {
    name: 'bounds of numbers as markers',
    typescript: `
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:Maximum=9
      a: int32;
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:ExclusiveMinimum=true
      b: int64;
      // +kubebuilder:validation:MultipleOf=5
      c: int32;
      // +k8s:minimum=1
      // +k8s:maximum=2
      d: int32;`,
    go: `
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:Maximum=9
      A int32 json:"a"
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:ExclusiveMinimum=true
      B int64 json:"b"
      // +kubebuilder:validation:MultipleOf=5
      C int32 json:"c"
      // +k8s:minimum=1
      // +k8s:maximum=2
      D int32 json:"d"`,
  },
  {
    name: 'lengths, patterns and formats',
    typescript: `
      /** @minLength 1 @maxLength 63 */ a: string;
      /** @pattern ^[a-z]+\\d{2,}$ */ b: string;
      /** @format date-time */ c: string;
      /** @pattern ^\\d+%?$ */ d: IntOrString;`,
    go: `
      // +kubebuilder:validation:MinLength=1
      // +kubebuilder:validation:MaxLength=63
      A string json:"a"
      // +kubebuilder:validation:Pattern="^[a-z]+\\\\d{2,}$"
      B string json:"b"
      // +kubebuilder:validation:Format=date-time
      C string json:"c"
      // +kubebuilder:validation:XIntOrString
      // +kubebuilder:validation:Pattern="^\\\\d+%?$"
      D intstr.IntOrString json:"d"`,
  },
  {
    name: 'lengths, patterns and formats as markers',
    typescript: `
      // +kubebuilder:validation:MinLength=1
      // +kubebuilder:validation:MaxLength=63
      a: string;
      // +kubebuilder:validation:Pattern="^[a-z]+\\\\d{2,}$"
      b: string;
      // +kubebuilder:validation:Format=date-time
      c: string;
      // +kubebuilder:validation:Pattern:=^a.b$
      d: string;`,
    go: `
      // +kubebuilder:validation:MinLength=1
      // +kubebuilder:validation:MaxLength=63
      A string json:"a"
      // +kubebuilder:validation:Pattern="^[a-z]+\\\\d{2,}$"
      B string json:"b"
      // +kubebuilder:validation:Format=date-time
      C string json:"c"
      // +kubebuilder:validation:Pattern:=^a.b$
      D string json:"d"`,
  },
  {
    name: 'a field and its type that constrain different things',
    typescript: '/** @maxLength 9 */ a: Name;',
    types: {
      typescript: '/** @minLength 1 */ type Name = string;',
      go: '// +kubebuilder:validation:MinLength=1\ntype Name string',
    },
    go: '// +kubebuilder:validation:MaxLength=9\nA Name json:"a"',
  },
  {
    name: 'a field and its type that constrain the same thing',
    typescript: '/** @minLength 4 @maxLength 9 */ a: Name; /** @minimum 5 @maximum 7 */ b: Size;',
    types: {
      typescript:
        '/** @minLength 1 @maxLength 10 */ type Name = string; /** @minimum 1 @maximum 9 */ type Size = int32;',
      go: `
        // +kubebuilder:validation:MinLength=1
        // +kubebuilder:validation:MaxLength=10
        type Name string
        // +kubebuilder:validation:Minimum=1
        // +kubebuilder:validation:Maximum=9
        type Size int32`,
    },
    go: `
      // +kubebuilder:validation:MinLength=4
      // +kubebuilder:validation:MaxLength=9
      A Name json:"a"
      // +kubebuilder:validation:Minimum=5
      // +kubebuilder:validation:Maximum=7
      B Size json:"b"`,
  },
  {
    name: 'patterns of a field and its type',
    typescript: '/** @pattern ^a */ a: Name;',
    types: {
      typescript: '/** @pattern z$ */ type Name = string;',
      go: '// +kubebuilder:validation:Pattern="z$"\ntype Name string',
    },
    go: '// +kubebuilder:validation:Pattern="^a"\nA Name json:"a"',
  },
  {
    name: 'the number of items and entries',
    typescript: `
      /** @minItems 1 @maxItems 3 */ a: string[];
      /** @minProperties 1 @maxProperties 3 */ b: Record<string, string>;`,
    go: `
      // +kubebuilder:validation:MinItems=1
      // +kubebuilder:validation:MaxItems=3
      A []string json:"a"
      // +kubebuilder:validation:MinProperties=1
      // +kubebuilder:validation:MaxProperties=3
      B map[string]string json:"b"`,
  },
  {
    name: 'constraints of items',
    typescript: `
      /** @items.minLength 1 @items.pattern ^a */ a: string[];
      /** @items.minimum 1 @items.enum 1;2;3 */ b: int32[];
      // +kubebuilder:validation:items:MaxLength=5
      // +kubebuilder:validation:items:Format=hostname
      c: string[];
      // +kubebuilder:validation:items:Enum=a;b
      d?: string[];`,
    go: `
      // +kubebuilder:validation:items:MinLength=1
      // +kubebuilder:validation:items:Pattern="^a"
      A []string json:"a"
      // +kubebuilder:validation:items:Minimum=1
      // +kubebuilder:validation:items:Enum=1;2;3
      B []int32 json:"b"
      // +kubebuilder:validation:items:MaxLength=5
      // +kubebuilder:validation:items:Format=hostname
      C []string json:"c"
      // +kubebuilder:validation:items:Enum=a;b
      D []string json:"d,omitempty"`,
  },
  {
    name: 'enums as tags and markers',
    typescript: `
      /** @enum ["x","y"] */ a: string;
      // +kubebuilder:validation:Enum=x;y
      b: string;
      // +kubebuilder:validation:Enum={"a b","c;d"}
      c: string;
      // +kubebuilder:validation:Enum=1;2
      d?: int32;
      // +kubebuilder:validation:Enum="";x
      e?: string;`,
    go: `
      // +kubebuilder:validation:Enum=x;y
      A string json:"a"
      // +kubebuilder:validation:Enum=x;y
      B string json:"b"
      // +kubebuilder:validation:Enum={"a b","c;d"}
      C string json:"c"
      // +kubebuilder:validation:Enum=1;2
      D int32 json:"d,omitempty"
      // +kubebuilder:validation:Enum="";x
      E string json:"e,omitempty"`,
  },
  {
    name: 'another type',
    typescript: 'a: Text;',
    types: {
      typescript: '/** @type string */ type Text = unknown;',
      go: '// +kubebuilder:validation:Type=string\ntype Text struct {\n X string json:"-"\n}',
    },
    go: 'A Text json:"a"',
  },
  {
    name: 'lists that are sets, maps and atomic',
    typescript: `
      /** @listType set */ a: string[];
      /** @listType map @listMapKey name */ b: Part[];
      /** @listType map @listMapKey name @listMapKey port */ c: Part[];
      /** @listType atomic */ d: Part[];
      // +listType=map
      // +listMapKey=name
      e: Part[];
      // +k8s:listType=map
      // +k8s:listMapKey=name
      f?: Part[];`,
    types: {
      typescript: 'interface Part { name: string; /** @default 80 */ port?: int32 }',
      go: `
        type Part struct {
          Name string json:"name"
          // +kubebuilder:default=80
          Port int32 json:"port,omitempty"
        }`,
    },
    go: `
      // +listType=set
      A []string json:"a"
      // +listType=map
      // +listMapKey=name
      B []Part json:"b"
      // +listType=map
      // +listMapKey=name
      // +listMapKey=port
      C []Part json:"c"
      // +listType=atomic
      D []Part json:"d"
      // +listType=map
      // +listMapKey=name
      E []Part json:"e"
      // +k8s:listType=map
      // +k8s:listMapKey=name
      F []Part json:"f,omitempty"`,
  },
  {
    name: 'objects that are merged as a whole',
    typescript: `
      /** @mapType atomic */ a: Record<string, string>;
      /** @mapType granular */ b: Record<string, string>;
      /** @structType atomic */ c: Part;
      d?: Whole;`,
    types: {
      typescript: 'interface Part { x: string } /** @structType atomic */ interface Whole { y: string }',
      go: `
        type Part struct {
          X string json:"x"
        }
        // +structType=atomic
        type Whole struct {
          Y string json:"y"
        }`,
    },
    go: `
      // +mapType=atomic
      A map[string]string json:"a"
      // +mapType=granular
      B map[string]string json:"b"
      // +structType=atomic
      C Part json:"c"
      D *Whole json:"d,omitempty"`,
  },
  {
    name: 'rules',
    typescript: `
      /** @validation {rule: "self > 0", message: "must be positive"} */ a: int32;
      /**
       * @validation {rule: "self.startsWith('a')", reason: FieldValueInvalid}
       * @validation {rule: "self == oldSelf", message: "cannot change", optionalOldSelf: false}
       */
      b: string;
      c: Range;`,
    types: {
      typescript: `
        /** @validation {rule: "self.low <= self.high", messageExpression: "self.low > 0 ? 'too low' : 'too high'", fieldPath: ".low"} */
        interface Range { low: int32; high: int32 }`,
      go: `
        // +kubebuilder:validation:XValidation:rule="self.low <= self.high",messageExpression="self.low > 0 ? 'too low' : 'too high'",fieldPath=".low"
        type Range struct {
          Low int32 json:"low"
          High int32 json:"high"
        }`,
    },
    go: `
      // +kubebuilder:validation:XValidation:rule="self > 0",message="must be positive"
      A int32 json:"a"
      // +kubebuilder:validation:XValidation:rule="self.startsWith('a')",reason=FieldValueInvalid
      // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="cannot change",optionalOldSelf=false
      B string json:"b"
      C Range json:"c"`,
  },
  {
    name: 'rules of a field and its type, as markers',
    typescript: `
      // +kubebuilder:validation:XValidation:rule="self.low > 0",message="low must be positive"
      a: Range;`,
    types: {
      typescript: `
        // +kubebuilder:validation:XValidation:rule="self.low <= self.high"
        interface Range { low: int32; high: int32 }`,
      go: `
        // +kubebuilder:validation:XValidation:rule="self.low <= self.high"
        type Range struct {
          Low int32 json:"low"
          High int32 json:"high"
        }`,
    },
    go: `
      // +kubebuilder:validation:XValidation:rule="self.low > 0",message="low must be positive"
      A Range json:"a"`,
  },
  {
    name: 'one of several fields',
    typescript: 'a: One; b: Most; c: Least;',
    types: {
      typescript: `
        /** @exactlyOneOf x y */ interface One { x?: string; y?: string }
        // +kubebuilder:validation:AtMostOneOf=x;y
        interface Most { x?: string; y?: string }
        /** @atLeastOneOf x y */ interface Least { x?: string; y?: string }`,
      go: `
        // +kubebuilder:validation:ExactlyOneOf=x;y
        type One struct {
          X *string json:"x,omitempty"
          Y *string json:"y,omitempty"
        }
        // +kubebuilder:validation:AtMostOneOf=x;y
        type Most struct {
          X *string json:"x,omitempty"
          Y *string json:"y,omitempty"
        }
        // +kubebuilder:validation:AtLeastOneOf=x;y
        type Least struct {
          X *string json:"x,omitempty"
          Y *string json:"y,omitempty"
        }`,
    },
    go: `
      A One json:"a"
      B Most json:"b"
      C Least json:"c"`,
  },
  {
    name: 'fields that cannot change',
    typescript: '/** @immutable */ a: string; /** @immutable */ b?: string;',
    go: `
      // +k8s:immutable
      A string json:"a"
      // +k8s:immutable
      // +optional
      B *string json:"b,omitempty"`,
  },
  {
    name: 'fields that must not be empty',
    typescript: `
      // +k8s:required
      a: string;
      // +k8s:required
      b: string[];
      // +k8s:required
      c: Record<string, string>;
      // +required
      d: string;`,
    go: `
      // +k8s:required
      A string json:"a"
      // +k8s:required
      B []string json:"b"
      // +k8s:required
      C map[string]string json:"c"
      // +required
      D string json:"d"`,
  },
  {
    name: 'defaults',
    typescript: `
      /** @default x */ a?: string;
      /** @default 3 */ b?: int32;
      /** @default true */ c?: boolean;
      /** @default [] */ d?: string[];
      /** @default ["x","y"] */ e?: string[];
      /** @default {} */ f?: Record<string, string>;
      /** @default {x: "1"} */ g?: Part;
      /** @default "" */ h?: string;
      /** @default 50% */ i?: IntOrString;
      /** @default 100Mi */ j?: Quantity;`,
    types: { typescript: 'interface Part { x: string }', go: 'type Part struct {\n X string json:"x"\n}' },
    go: `
      // +kubebuilder:default=x
      A string json:"a,omitempty"
      // +kubebuilder:default=3
      B int32 json:"b,omitempty"
      // +kubebuilder:default=true
      C bool json:"c,omitempty"
      // +kubebuilder:default={}
      D []string json:"d,omitempty"
      // +kubebuilder:default={"x","y"}
      E []string json:"e,omitempty"
      // +kubebuilder:default={}
      F map[string]string json:"f,omitempty"
      // +kubebuilder:default={x: "1"}
      G *Part json:"g,omitempty"
      // +kubebuilder:default=""
      H string json:"h,omitempty"
      // +kubebuilder:default="50%"
      I *intstr.IntOrString json:"i,omitempty"
      // +kubebuilder:default="100Mi"
      J *resource.Quantity json:"j,omitempty"`,
  },
  {
    name: 'defaults as markers',
    typescript: `
      // +kubebuilder:default=x
      a?: string;
      // +kubebuilder:default:=3
      b?: int32;
      // +default=true
      c?: boolean;
      // +kubebuilder:default={}
      d?: string[];
      // +kubebuilder:default={"x","y"}
      e?: string[];
      // +kubebuilder:default={x: "1"}
      f?: Record<string, string>;
      // +default={"x": "1"}
      g?: Record<string, string>;
      // +kubebuilder:default="a, b; c"
      h?: string;`,
    go: `
      // +kubebuilder:default=x
      A string json:"a,omitempty"
      // +kubebuilder:default:=3
      B int32 json:"b,omitempty"
      // +default=true
      C bool json:"c,omitempty"
      // +kubebuilder:default={}
      D []string json:"d,omitempty"
      // +kubebuilder:default={"x","y"}
      E []string json:"e,omitempty"
      // +kubebuilder:default={x: "1"}
      F map[string]string json:"f,omitempty"
      // +default={"x": "1"}
      G map[string]string json:"g,omitempty"
      // +kubebuilder:default="a, b; c"
      H string json:"h,omitempty"`,
  },
  {
    name: 'examples, titles and links',
    typescript: `
      /** @example 3 @title A size */ a: int32;
      /** @example x */ b: string;
      /** @externalDocs https://example.com/c More about it. */ c: string;`,
    go: `
      // +kubebuilder:example=3
      // +kubebuilder:title="A size"
      A int32 json:"a"
      // +kubebuilder:example=x
      B string json:"b"
      // +kubebuilder:externalDocs:url="https://example.com/c",description="More about it."
      C string json:"c"`,
  },
  {
    name: 'unknown fields that are kept',
    typescript: '/** @preserveUnknownFields */ a: Part; b: Open;',
    types: {
      typescript: `
        interface Part { x: string }
        /** @preserveUnknownFields */ interface Open { y: string }`,
      go: `
        type Part struct {
          X string json:"x"
        }
        // +kubebuilder:pruning:PreserveUnknownFields
        type Open struct {
          Y string json:"y"
        }`,
    },
    go: `
      // +kubebuilder:pruning:PreserveUnknownFields
      A Part json:"a"
      B Open json:"b"`,
  },
  {
    name: 'constraints of the items of items, which Go must name',
    typescript: '/** @items.items.minLength 1 @items.maxItems 2 */ a: string[][];',
    types: {
      typescript: '',
      go: `
        // +kubebuilder:validation:items:MinLength=1
        // +kubebuilder:validation:MaxItems=2
        type Line []string`,
    },
    go: 'A []Line json:"a"',
  },
  {
    name: 'rules in short',
    typescript: `
      /** @cel self.size() < 9 -- is too long */ a: string;
      /** @items.validation {rule: "self > 0"} */ b: int32[];`,
    go: `
      // +kubebuilder:validation:XValidation:rule="self.size() < 9",message="is too long"
      A string json:"a"
      // +kubebuilder:validation:items:XValidation:rule="self > 0"
      B []int32 json:"b"`,
  },
  {
    name: 'rules over several lines',
    typescript: `
      /**
       * @validation {
       *   rule: "self.all(x, x > 0)",
       *   message: "must all be positive"
       * }
       * @maxItems 9
       */
      a: int32[];`,
    go: `
      // +kubebuilder:validation:XValidation:rule="self.all(x, x > 0)",message="must all be positive"
      // +kubebuilder:validation:MaxItems=9
      A []int32 json:"a"`,
  },
  {
    name: 'defaults within defaults',
    typescript: '/** @default {} */ a?: Outer;',
    types: {
      typescript: `
        interface Outer { /** @default {y: 2} */ inner?: Inner }
        interface Inner { /** @default 1 */ x?: int32; y: int32 }`,
      go: `
        type Outer struct {
          // +kubebuilder:default={y: 2}
          Inner Inner json:"inner,omitempty"
        }
        type Inner struct {
          // +kubebuilder:default=1
          X int32 json:"x,omitempty"
          Y int32 json:"y"
        }`,
    },
    go: `
      // +kubebuilder:default={}
      A Outer json:"a,omitempty"`,
  },
  {
    name: 'tags of a type and of an alias of it',
    typescript: 'a: Short; /** @maxLength 3 */ b: Short; c: Short[];',
    types: {
      typescript: `
        /** @minLength 1 @title Name */ type Name = string;
        /** A short name. @maxLength 5 */ type Short = Name;`,
      go: `
        // +kubebuilder:validation:MinLength=1
        // +kubebuilder:title=Name
        type Name string
        // A short name.
        // +kubebuilder:validation:MaxLength=5
        type Short Name`,
    },
    go: `
      A Short json:"a"
      // +kubebuilder:validation:MaxLength=3
      B Short json:"b"
      C []Short json:"c"`,
  },
  {
    name: 'numbers that are excluded, on integers and others',
    typescript: '/** @exclusiveMinimum 0 @exclusiveMaximum 1 */ a: double; /** @multipleOf 0.5 */ b: float;',
    go: `
      // +kubebuilder:validation:Minimum=0
      // +kubebuilder:validation:ExclusiveMinimum=true
      // +kubebuilder:validation:Maximum=1
      // +kubebuilder:validation:ExclusiveMaximum=true
      A float64 json:"a"
      // +kubebuilder:validation:MultipleOf=0.5
      B float32 json:"b"`,
  },
];
