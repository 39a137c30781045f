// One import for an app: the contract's types, and the client for what has no screen here.
@_exported public import BabyBasicsAPI
@_exported public import BabyBasicsClient
