/// What hands requests over to other people's servers: pushes and calls of webhooks alike.
public typealias OutgoingTransport = PushTransport
