import { decodeYaml } from 'ots-apiserver/decoding';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { type JsonObject, isDeeperThan, isObject, valueOf } from '../bundle/json.ts';
import { type InputObject, inputObject } from './input-object.ts';

/** No manifest is nested deeper, and what reads the objects recurses. */
const maxDepth = 200;

/** A text with objects. */
export interface InputText {
  /** As errors name it, such as `deploy/all.yaml` or `standard input`. */
  readonly name: string;
  readonly text: string;
}

/** The objects of the input, and what is left out because it is none. */
export interface Input {
  readonly objects: readonly InputObject[];
  readonly problems: readonly string[];
}

/**
 * Reads YAML 1.1 or JSON, with any number of documents. The items of a List are objects of their own. An object that is there twice
 * counts once.
 *
 * @throws OtsError `INVALID_INPUT` for what cannot be read, `EMPTY_INPUT` without an object
 */
export function readInput(texts: readonly InputText[]): Input {
  const problems: string[] = [];
  const objects = new Map<string, InputObject>();
  const add = (value: JsonObject, source: string): void => {
    const object = inputObject(value, source);
    if (!object) {
      problems.push(`what starts at ${source} is left out: it has no apiVersion or no kind`);
      return;
    }
    const items = valueOf(value, 'items');
    if (object.group === '' && object.kind.endsWith('List') && Array.isArray(items))
      for (const item of items) add(itemOf(item, source), source);
    else objects.set(JSON.stringify(value), objects.get(JSON.stringify(value)) ?? object);
  };
  for (const text of texts)
    for (const { value, source } of documentsIn(text)) if (value !== null) add(itemOf(value, source), source);
  if (objects.size > 0) return { objects: [...objects.values()], problems };
  const names = texts.map(({ name }) => name).join(', ');
  throw new OtsError('EMPTY_INPUT', `There is no object in ${oneLine(names) || 'the input'}`, {
    hint: 'Give the output of kustomize with --input: kubectl kustomize config/manifests | ots generate bundle --input -',
  });
}

function itemOf(value: unknown, source: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(source, 'is not an object');
}

interface Document {
  readonly value: unknown;
  readonly source: string;
}

function* documentsIn({ name, text }: InputText): Generator<Document> {
  let line = 1;
  for (const part of text.replace(/^\u{feff}/u, '').split(/^---(?=\s|$)/m)) {
    const blank = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*/.exec(part)?.[0] ?? '';
    const source = `${name}:${line + linesOf(blank)}`;
    yield { value: read(part, source), source };
    line += linesOf(part);
  }
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function read(text: string, source: string): unknown {
  try {
    const { value } = decodeYaml(text);
    if (!isDeeperThan(value, maxDepth)) return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(source, `is not YAML: ${firstLine(error.message)}`);
    if (!(error instanceof RangeError)) throw error;
  }
  throw invalid(source, `is nested deeper than ${maxDepth} levels`);
}

/** The line in the message is that of the document. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^yaml: (?:line \d+: )?/, '').replace(/:$/, '');
}

function invalid(source: string, problem: string): OtsError {
  return new OtsError('INVALID_INPUT', `What starts at ${oneLine(source)} ${oneLine(problem)}`, {
    hint: 'Correct it, or give the output of kubectl kustomize config/manifests.',
  });
}
