/** Why bytes are no protobuf message, in the words of Go's generated code. */
export class ProtobufError extends Error {}
