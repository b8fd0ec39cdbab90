/**
 * Names that a kind cannot have, by reason. A kind becomes an interface and a constant in scaffolded files and in every
 * file that imports it, where it would hide another meaning of the name.
 */
export const reservedNames = {
  /** Values that exist in every module: those of ECMAScript and of Node. */
  global: split(`
    AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView
    Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity
    Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
    ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError
    URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly
    AbortController AbortSignal Blob BroadcastChannel Buffer CompressionStream Crypto CryptoKey CustomEvent
    DOMException DecompressionStream Event EventTarget File FormData Headers MessageChannel MessageEvent MessagePort
    Performance PerformanceEntry PerformanceObserver ReadableStream Request Response SubtleCrypto TextDecoder
    TextEncoder TransformStream URL URLSearchParams WebSocket WritableStream`),

  /** Types that TypeScript's library declares. */
  type: split(`
    ArrayLike AsyncDisposable AsyncGenerator AsyncIterable AsyncIterator Awaited Capitalize ConstructorParameters
    Disposable Exclude Extract Generator InstanceType Iterable IterableIterator IteratorResult Lowercase NodeJS
    NoInfer NonNullable Omit OmitThisParameter Parameters Partial Pick PromiseLike PropertyDescriptor PropertyKey
    Readonly ReadonlyArray ReadonlyMap ReadonlySet Record Required ReturnType TemplateStringsArray ThisParameterType
    ThisType Uncapitalize Uppercase`),

  /** Names that scaffolded files import or declare; no template may use another one in a file with kinds. */
  scaffold: split(`
    AdmissionContext ApiError ApiServer Client Condition ConnectionConfig Controller ControllerBuilder Conversion
    ConversionBuilder Converter DeepReadonly Defaulter DeniedError Duration IntOrString InvalidError Kind KubernetesObject Logger Manager
    ManagerOptions MicroTime ObjectMeta OwnerReference Quantity ReconcileContext Reconciler Request Result TerminalError
    TestEnvironment Time ValidationResult Validator WebhookBuilder`),

  /** `List` is the kind of Kubernetes that holds objects of any kind. */
  kubernetes: ['List'],

  /** Kinds that are keywords in lower case, such as `class` or `switch`: a variable cannot have their name. */
  keyword: split(`
    Arguments Await Break Case Catch Class Const Continue Debugger Default Delete Do Else Enum Eval Export
    Extends False Finally For If Implements Import In Instanceof Interface Let New Null Package Private Protected
    Public Return Static Super Switch This Throw True Try Type Typeof Undefined Var Void While With Yield`),

  /** Words that kubectl's YAML 1.1 does not read as text. */
  yaml: split('False N No Null Off On True Y Yes'),

  /** Windows reserves these file names for devices, with any extension. */
  device: split(
    'Aux Com1 Com2 Com3 Com4 Com5 Com6 Com7 Com8 Com9 Con Lpt1 Lpt2 Lpt3 Lpt4 Lpt5 Lpt6 Lpt7 Lpt8 Lpt9 Nul Prn',
  ),
} as const satisfies Record<string, readonly string[]>;

/** Why a name is reserved. */
export type ReservedReason = keyof typeof reservedNames;

function split(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}
