import type { TokenUser } from 'ots-apiserver';
import { OtsError } from '../../errors/ots-error.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { oneLine } from '../../output/one-line.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';

const example = 'Write one user per line, such as: secret-token,jane,jane-uid,"developers,testers"';

/**
 * Reads users and their tokens from a file of the form that kube-apiserver reads with `--token-auth-file`: comma-separated values, one
 * user per line, with a token, a name, a UID, and optionally the groups as one quoted value.
 *
 * @throws {OtsError} for a file that cannot be read, a line that is not a user, and a token that two lines have
 */
export function readUsers(path: string, fs: FileSystem): TokenUser[] {
  const users = new Map<string, TokenUser>();
  for (const [index, line] of textOf(path, fs).split(/\r?\n/).entries()) {
    if (line === '') continue;
    const user = parseUser(line);
    if (typeof user === 'string') throw badLine(path, index + 1, user);
    if (users.has(user.token)) throw badLine(path, index + 1, 'another line has the same token');
    users.set(user.token, user);
  }
  if (users.size > 0) return [...users.values()];
  throw new OtsError('NO_USERS', `${oneLine(path)} contains no users`, { hint: `${example}.` });
}

function textOf(path: string, fs: FileSystem): string {
  let content: Buffer | undefined;
  try {
    content = fs.read(path);
  } catch (error) {
    throw new OtsError('USERS_FILE', `${oneLine(path)} cannot be read: ${reasonOf(error)}`, {
      hint: 'Correct --users.',
      cause: error,
    });
  }
  if (content) return content.toString('utf8').replace(/^\uFEFF/, '');
  throw new OtsError('USERS_FILE', `${oneLine(path)} does not exist`, { hint: 'Correct --users.' });
}

/** @returns what is wrong with a line that is not a user */
function parseUser(line: string): TokenUser | string {
  const values = parseValues(line);
  if (!values) return 'its quotes are not those of comma-separated values';
  const [token = '', name = '', uid = '', groups = ''] = values;
  if (values.length < 3) return `it has ${values.length} of at least 3 values: token, name, UID`;
  if (!isToken(token)) return 'its token is empty or has characters that an HTTP header cannot contain';
  if (name === '') return 'its user has no name';
  return { token, name, groups: groups === '' ? [] : groups.split(','), ...(uid !== '' && { uid }) };
}

/** Whether a text can be sent as a bearer token. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The values of a line, in quotes if they contain commas or quotes (RFC 4180). Undefined if it is not such a line. */
function parseValues(line: string): string[] | undefined {
  const values: string[] = [];
  const value = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let separator: string | undefined = ','; separator === ',';) {
    const match = value.exec(line);
    if (!match) return undefined;
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    separator = match[3];
  }
  return values;
}

function badLine(path: string, line: number, problem: string): OtsError {
  return new OtsError('USERS_FILE', `Line ${line} of ${oneLine(path)} is not a user: ${problem}`, {
    hint: `${example}.`,
    details: { line },
  });
}
