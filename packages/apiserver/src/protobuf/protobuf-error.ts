/** The bytes are not a valid protobuf message. The message is that of Go's generated code. */
export class ProtobufError extends Error {}
