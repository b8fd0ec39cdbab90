/** A request as the proxy sees it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly url: URL;
  readonly userAgent: string;
  readonly authorization: string | undefined;
}

export const isWatch = ({ url }: ProxiedRequest): boolean => url.searchParams.has('watch');
export const isWrite = ({ method }: ProxiedRequest): boolean => method !== 'GET';
export const isLease = ({ url }: ProxiedRequest): boolean => url.pathname.includes('/leases');
/** Whether an informer requests a page of a list. */
export const isList = ({ method, url }: ProxiedRequest): boolean =>
  method === 'GET' && !url.searchParams.has('watch') && url.searchParams.has('limit');
/** Whether the request is for a later page of a list. */
export const isLaterPage = ({ url }: ProxiedRequest): boolean => url.searchParams.has('continue');
