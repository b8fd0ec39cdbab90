import { type GoType, decodeYaml } from 'ots-apiserver/decoding';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { goStruct, list } from '../bundle/go-struct.ts';
import { isDeeperThan, isObject } from '../bundle/json.ts';

/** Which tests the scorecard runs, and in which order. */
export interface ScorecardConfiguration {
  readonly stages: readonly Stage[];
}

/** Tests that run one after the other, or at the same time. The next stage starts when they have ended. */
interface Stage {
  readonly isParallel: boolean;
  readonly tests: readonly TestConfiguration[];
}

/** How a test is run. Fields that its author left out are empty. */
export interface TestConfiguration {
  readonly image: string;
  readonly uniqueId: string;
  /** The command in the image and its arguments. */
  readonly entrypoint: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Where the test writes files, in its container. */
  readonly storagePath: string;
}

const maxDepth = 500;

/**
 * Reads the configuration of the scorecard as operator-sdk does: one document of YAML 1.1, of which it ignores what it does not know.
 *
 * @throws {SyntaxError} with a message of one line, when it is not a configuration
 */
export function readConfiguration(text: string): ScorecardConfiguration {
  const value = parsed(text);
  if (!isObject(value)) throw new SyntaxError('it is not an object with stages');
  const decoded = decode(value);
  if (decoded.kind !== undefined && decoded.kind !== 'Configuration')
    throw new SyntaxError(`it is a ${decoded.kind}, not a Configuration`);
  const sharedPath = decoded.storage?.spec?.mountPath?.path ?? '';
  return {
    stages: (decoded.stages ?? []).map(({ parallel = false, tests = [] }) => ({
      isParallel: parallel,
      tests: tests.map(({ image = '', uniqueID = '', entrypoint = [], labels = {}, storage }) => ({
        image,
        uniqueId: uniqueID,
        entrypoint,
        labels: sortedLabels(labels),
        storagePath: storage?.spec?.mountPath?.path || sharedPath,
      })),
    })),
  };
}

/** Go writes maps in the order of their keys. */
function sortedLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function parsed(text: string): unknown {
  let value: unknown;
  try {
    ({ value } = decodeYaml(text));
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('values are nested too deep', { cause: error });
    if (!(error instanceof SyntaxError)) throw error;
    const [line] = error.message.replace(/^yaml: /, '').split('\n');
    throw new SyntaxError(`it is not YAML: ${line?.trim()}`, { cause: error });
  }
  if (isDeeperThan(value, maxDepth)) throw new SyntaxError('values are nested too deep');
  return value;
}

/** As in the file. */
interface Decoded {
  readonly kind?: string;
  readonly storage?: Storage;
  readonly stages?: readonly {
    readonly parallel?: boolean;
    readonly tests?: readonly {
      readonly image?: string;
      readonly uniqueID?: string;
      readonly entrypoint?: readonly string[];
      readonly labels?: Readonly<Record<string, string>>;
      readonly storage?: Storage;
    }[];
  }[];
}

interface Storage {
  readonly spec?: { readonly mountPath?: { readonly path?: string } };
}

function decode(value: object): Decoded {
  try {
    return decodeLikeGo(value, configurationType(), { textFromScalars: true }) as Decoded;
  } catch (error) {
    if (error instanceof WrongTypeError) throw new SyntaxError(error.message, { cause: error });
    throw error;
  }
}

const text: GoType = { kind: 'string', name: 'string' };

function configurationType(): GoType {
  const storage = goStruct('Storage', {
    spec: goStruct('StorageSpec', { mountPath: goStruct('MountPath', { path: text }) }),
  });
  const test = goStruct('TestConfiguration', {
    image: text,
    uniqueID: text,
    entrypoint: list(text),
    labels: { kind: 'map', name: 'map[string]string', items: text },
    storage,
  });
  return goStruct('Configuration', {
    kind: text,
    metadata: goStruct('Metadata', { name: text }),
    stages: list(
      goStruct('StageConfiguration', { parallel: { kind: 'bool', name: 'bool' }, tests: list(test) }),
    ),
    storage,
    serviceaccount: text,
  });
}
