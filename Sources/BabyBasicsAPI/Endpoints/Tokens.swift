// Tokens by which other programs act for a member in one family.

extension Endpoints {
    public static let createToken = Endpoint<NewProgramToken, IssuedTokenAnswer>(
        .post, "\(base)/users/me/tokens", access: .user, success: 201)
    public static let listTokens = Endpoint<Empty, ProgramTokenList>(
        .get, "\(base)/users/me/tokens", access: .user)
    public static let deleteToken = Endpoint<Empty, Empty>(
        .delete, "\(base)/users/me/tokens/:tokenId", access: .user, success: 204)

    static let tokens = [createToken.description, listTokens.description, deleteToken.description]
}

public typealias TokenID = Identifier<ProgramToken>

/// What a program may do by its token, never more than whose token it is.
public enum TokenScope: String, Codable, Hashable, Sendable, CaseIterable {
    /// See the family, its children, what was logged, dashboards and changes.
    case read
    /// The same; and log, change and delete what is logged.
    case log
}

public struct NewProgramToken: Codable, Hashable, Sendable {
    /// What tells it apart: 1 to 100 characters after trimming.
    public var name: String
    /// Of the caller's.
    public var familyId: FamilyID
    public var scope: TokenScope
    /// Nil for never.
    public var expiresAt: Timestamp?

    public init(name: String, familyId: FamilyID, scope: TokenScope, expiresAt: Timestamp? = nil) {
        self.name = name
        self.familyId = familyId
        self.scope = scope
        self.expiresAt = expiresAt
    }
}

/// One of the caller's own tokens.
public struct ProgramToken: Codable, Hashable, Sendable {
    public var id: TokenID
    public var name: String
    public var familyId: FamilyID
    public var familyName: String
    public var scope: TokenScope
    public var createdAt: Timestamp
    /// To within a minute; nil for never.
    public var lastUsedAt: Timestamp?
    /// Nil for never.
    public var expiresAt: Timestamp?

    public init(
        id: TokenID, name: String, familyId: FamilyID, familyName: String, scope: TokenScope, createdAt: Timestamp,
        lastUsedAt: Timestamp?, expiresAt: Timestamp?
    ) {
        self.id = id
        self.name = name
        self.familyId = familyId
        self.familyName = familyName
        self.scope = scope
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
    }
}

/// A new token, with what the program shows of it: nobody can look that up again.
public struct IssuedToken: Codable, Hashable, Sendable {
    public var id: TokenID
    public var name: String
    public var familyId: FamilyID
    public var familyName: String
    public var scope: TokenScope
    public var createdAt: Timestamp
    public var lastUsedAt: Timestamp?
    public var expiresAt: Timestamp?
    /// `bb_` and 43 characters, for `Authorization: Bearer`.
    public var secret: String

    public init(_ token: ProgramToken, secret: String) {
        id = token.id
        name = token.name
        familyId = token.familyId
        familyName = token.familyName
        scope = token.scope
        createdAt = token.createdAt
        lastUsedAt = token.lastUsedAt
        expiresAt = token.expiresAt
        self.secret = secret
    }
}

public struct IssuedTokenAnswer: Codable, Hashable, Sendable {
    public var token: IssuedToken

    public init(token: IssuedToken) {
        self.token = token
    }
}

public struct ProgramTokenList: Codable, Hashable, Sendable {
    public var tokens: [ProgramToken]
    public var count: Int

    public init(tokens: [ProgramToken]) {
        self.tokens = tokens
        count = tokens.count
    }
}
