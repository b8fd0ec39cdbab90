import {
  type CST,
  Composer,
  type Document,
  Lexer,
  Parser,
  type YAMLMap,
  isAlias,
  isMap,
  isScalar,
  visit,
} from 'yaml';
import { quoted } from '../names/quoted.ts';
import { sourceError } from './source-error.ts';

/** Far more than a project with a thousand kinds needs; a larger file is not a PROJECT file. */
const maxLength = 256 * 1024;
/** PROJECT nests six levels. The library recurses, and V8 aborts when a stack that is nearly full compiles a RegExp. */
const maxDepth = 64;

/**
 * Reads the one YAML document of a PROJECT file, with the position of every node.
 *
 * @throws {OtsError} `INVALID_PROJECT`, with line and column
 */
export function readDocument(text: string): Document.Parsed {
  const problem = (offset: number, message: string, hint: string, cause?: unknown) =>
    sourceError(text, offset, { code: 'INVALID_PROJECT', message, hint, cause });

  checkText(text, problem);
  const [document, second] = compose(text, problem);
  const error = document?.errors[0] ?? document?.warnings.find(({ code }) => code !== 'TAG_RESOLVE_FAILED');
  if (error) throw problem(error.pos[0], `Not valid YAML: ${error.message}`, 'Fix the line.', error);
  if (second) {
    throw problem(
      second.range[0],
      'A second YAML document starts here',
      'Keep one document and remove the rest.',
    );
  }
  if (!document?.contents) {
    throw problem(
      0,
      'The file is empty',
      'Restore PROJECT from version control, or start a new project with ots init.',
    );
  }
  checkNodes(document, problem);
  return document;
}

type Problem = (offset: number, message: string, hint: string) => Error;

/** Rejects, before the parser runs, what certainly is not a PROJECT file, and text that lost bytes in decoding. */
function checkText(text: string, problem: Problem): void {
  if (text.length > maxLength) {
    throw problem(
      0,
      `The file is larger than ${maxLength / 1024} KiB`,
      'Restore PROJECT from version control.',
    );
  }
  const binary = text.search(/[\0\uFFFD]/);
  if (binary >= 0) {
    throw problem(
      binary,
      'The file is not UTF-8 text',
      'Restore PROJECT from version control, or save it as UTF-8.',
    );
  }
}

/** Composes tokens one by one, and stops early at deep nesting and further documents. */
function compose(text: string, problem: Problem): Document.Parsed[] {
  const parser = new Parser();
  const composer = new Composer({ version: '1.2', logLevel: 'silent', uniqueKeys: false, stringKeys: true });
  const documents: Document.Parsed[] = [];
  const take = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) documents.push(...composer.next(token));
  };
  for (const lexeme of new Lexer().lex(text)) {
    take(parser.next(lexeme));
    if (parser.stack.length > maxDepth) {
      throw problem(parser.offset, `Nested more than ${maxDepth} levels deep`, 'Flatten the value.');
    }
    if (documents.length > 1) return documents;
  }
  take(parser.end());
  documents.push(...composer.end(true, text.length));
  return documents;
}

/**
 * Rejects aliases, because one edit would change two places and a few can expand to an endless file, and duplicate keys,
 * for which the library would need quadratic time.
 */
function checkNodes(document: Document.Parsed, problem: Problem): void {
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node) || ('anchor' in node && node.anchor !== undefined)) {
        throw problem(node.range?.[0] ?? 0, 'Anchors and aliases are not supported', 'Write out the value.');
      }
      if (isMap(node)) checkKeys(node, problem);
    },
  });
}

function checkKeys(map: YAMLMap, problem: Problem): void {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) {
      throw problem(key.range?.[0] ?? 0, `Duplicate key ${quoted(String(key.value))}`, 'Remove one of them.');
    }
    seen.add(key.value);
  }
}
