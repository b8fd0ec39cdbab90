import type { Faults } from '../faults/faults.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Target } from '../registry/target.ts';
import type { ApiRequest } from './api-request.ts';
import type { Presentation } from './present.ts';
import type { Reply, StreamingReply } from './reply.ts';

/** Everything a handler of object requests needs. */
export interface ObjectContext {
  machinery: Machinery;
  request: ApiRequest;
  target: Target;
  /** Milliseconds between the bookmarks of a watch. */
  bookmarkInterval: number;
  faults: Faults;
  /** The revision of what reads show that accept any state. Undefined for the newest. */
  cached: number | undefined;
}

/** The context of a request whose answer has a format. */
export interface FormedContext extends ObjectContext {
  /** Undefined for objects as they are. */
  presentation: Presentation | undefined;
}

/** Answers a request. */
export type Handler = (context: FormedContext) => Reply | StreamingReply | Promise<Reply | StreamingReply>;

/** The handlers of an endpoint, by verb. */
export type Handlers = Partial<Record<Verb, Handler>>;

/** What a request does with objects. */
export type Verb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
