import type { ObjectList } from '../client/object-reader.ts';
import { isExpired, isInternalError } from '../errors/api-error.ts';
import type { MetadataKind, MetadataObject } from '../objects/metadata-of.ts';
import type { MigrationTools } from './migration-tools.ts';
import { patient } from './patient.ts';
import { StorageMigrationError } from './storage-migration-error.ts';
import type { StorageState } from './storage-state.ts';

type Page = ObjectList<MetadataObject>;

/** One page of a list. */
export interface ListedPage extends Page {
  /** Whether it is the first of a list, which may begin again. */
  readonly isFirst: boolean;
}

/**
 * Lists the objects of a CRD page by page, only their metadata. If a page has expired on the server, the list begins again:
 * the caller skips what it has dealt with.
 * @throws {ApiError} if the server refuses, {ConnectionError} if it does not respond; the signal's reason.
 */
export async function* pagesOf(
  tools: MigrationTools,
  state: StorageState,
  limit: number,
): AsyncGenerator<ListedPage, void, undefined> {
  let token: string | undefined;
  for (;;) {
    try {
      const page: Page = await listPage(tools, state, limit, token);
      yield { ...page, isFirst: token === undefined };
      token = page.metadata.continue;
      if (token === undefined) return;
    } catch (error) {
      if (token === undefined || !isExpired(error)) throw error;
      token = undefined;
    }
  }
}

/** The resource version of the objects of a CRD now. */
export async function currentVersion(tools: MigrationTools, state: StorageState): Promise<string> {
  const { metadata } = await listPage(tools, state, 1, undefined);
  return metadata.resourceVersion ?? '';
}

/**
 * Lists one page. One object that a webhook cannot convert makes a whole page fail: then in another version, to which only
 * what is done has to be converted.
 */
async function listPage(
  tools: MigrationTools,
  state: StorageState,
  limit: number,
  token: string | undefined,
): Promise<Page> {
  const { client, signal } = tools;
  const list = (kind: MetadataKind): Promise<Page> =>
    patient(tools, () => client.list(kind, { limit, continue: token, signal }));
  const [first, ...others] = servedKinds(state);
  try {
    return await list(first);
  } catch (error) {
    if (!isInternalError(error)) throw error;
    for (const kind of others) {
      try {
        return await list(kind);
      } catch (again) {
        if (!isInternalError(again)) throw again;
      }
    }
    throw error;
  }
}

/** The kind in the versions in which its objects can be read and written, the best first. */
export function servedKinds({ kinds, definition }: StorageState): [MetadataKind, ...MetadataKind[]] {
  const [first, ...others] = kinds;
  if (first) return [first, ...others];
  throw new StorageMigrationError(
    `No version of ${definition.metadata.name} is served, so its objects cannot be rewritten`,
    'Serve one of its versions: set served to true.',
  );
}
