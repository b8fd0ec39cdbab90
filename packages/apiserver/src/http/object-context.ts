import type { Machinery } from '../registry/machinery.ts';
import type { Target } from '../registry/target.ts';
import type { ApiRequest } from './api-request.ts';
import type { Presentation } from './present.ts';
import type { Reply, StreamingReply } from './reply.ts';

/** What a request for objects is handled with. */
export interface ObjectContext {
  machinery: Machinery;
  request: ApiRequest;
  target: Target;
  /** Milliseconds between the bookmarks of a watch. */
  bookmarkInterval: number;
}

/** A request whose answer has a form. */
export interface FormedContext extends ObjectContext {
  /** None for objects as they are. */
  presentation: Presentation | undefined;
}

/** Answers a request that asks for something that there is to ask for. */
export type Handler = (context: FormedContext) => Reply | StreamingReply | Promise<Reply | StreamingReply>;

/** What is done at an endpoint, by verb. */
export type Handlers = Partial<Record<Verb, Handler>>;

/** What a request does with objects. */
export type Verb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
