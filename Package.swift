// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The targets that wrap C: every unsafe use is written out as such.
let wrapper = settings + [.strictMemorySafety()]

/// What the server and its tools are made of. An app takes the kit without it, `traits: []`, and fetches GRDB alone.
let server = TargetDependencyCondition.when(traits: ["Server"])

let logging = Target.Dependency.product(name: "Logging", package: "swift-log", condition: server)

// The kit's tests meet the real server, which builds on Linux alone: elsewhere those are left out.
#if os(Linux)
    let kitServerTests: (dependencies: [Target.Dependency], excluded: [String]) = (
        [
            "BabyBasicsServer", "Cryptography", "EventLoop", "FastCGI", "Postgres", "SharedMemory", "TestSupport",
            logging,
        ], []
    )
#else
    let kitServerTests: (dependencies: [Target.Dependency], excluded: [String]) = ([], ["WithServer"])
#endif

let package = Package(
    name: "baby-basics",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BabyBasicsAPI", targets: ["BabyBasicsAPI"]),
        .library(name: "BabyBasicsClient", targets: ["BabyBasicsClient"]),
        .library(name: "BabyBasicsKit", targets: ["BabyBasicsKit"]),
        .executable(name: "babybasics", targets: ["babybasics"]),
        .executable(name: "babybasics-demo", targets: ["babybasics-demo"]),
        .executable(name: "babybasics-phone", targets: ["babybasics-phone"]),
    ],
    traits: [
        .trait(name: "Server", description: "The server, its tools and the phone at the terminal."),
        .default(enabledTraits: ["Server"]),
    ],
    // Each exactly, as Package.resolved is not kept. What these need in turn is any version that they take.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CFastCGI", pkgConfig: "fcgi", providers: [.apt(["libfcgi-dev"])]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .target(
            name: "EventLoop",
            dependencies: ["CEpoll", .product(name: "HeapModule", package: "swift-collections", condition: server)],
            swiftSettings: wrapper),
        .target(
            name: "FastCGI",
            dependencies: ["CFastCGI", "EventLoop", logging],
            swiftSettings: wrapper),
        .target(
            name: "Postgres",
            dependencies: ["CLibPQ", "EventLoop", logging],
            swiftSettings: wrapper),
        .target(
            name: "Cryptography", dependencies: ["COpenSSL", "CCrypt", "EventLoop"],
            swiftSettings: wrapper),
        .target(name: "JSON", swiftSettings: wrapper),
        .target(
            name: "Normalization", dependencies: ["CIDN2", "CUnistring"], swiftSettings: wrapper),
        .target(name: "Curl", dependencies: ["CCurl", "EventLoop"], swiftSettings: wrapper),
        .target(name: "SharedMemory", swiftSettings: wrapper),
        .target(name: "Systemd", dependencies: ["CSystemd"], swiftSettings: wrapper),
        .target(name: "BabyBasicsAPI", swiftSettings: settings),
        .target(name: "BabyBasicsOpenAPI", dependencies: ["BabyBasicsAPI"], swiftSettings: settings),
        .target(
            name: "BabyBasicsClient", dependencies: ["BabyBasicsAPI"], swiftSettings: settings),
        .target(
            name: "BabyBasicsServer",
            dependencies: [
                "BabyBasicsAPI", "Cryptography", "Curl", "EventLoop", "FastCGI", "JSON", "Normalization", "Postgres",
                "SharedMemory", logging,
                .product(name: "Configuration", package: "swift-configuration", condition: server),
            ],
            exclude: ["Accounts/CommonPasswords/LICENSE"],
            resources: [.embedInCode("Accounts/CommonPasswords/common-passwords.txt")],
            swiftSettings: settings),
        .executableTarget(
            name: "babybasics",
            dependencies: [
                "BabyBasicsOpenAPI", "BabyBasicsServer", "Cryptography", "Curl", "EventLoop", "FastCGI", "Postgres",
                "SharedMemory", "Systemd",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                logging,
                .product(name: "Configuration", package: "swift-configuration", condition: server),
                .product(name: "SystemPackage", package: "swift-system", condition: server),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "babybasics-demo",
            dependencies: [
                "BabyBasicsAPI", "BabyBasicsClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings),
        .target(
            name: "BabyBasicsKit",
            dependencies: [
                "BabyBasicsAPI", "BabyBasicsClient",
                .product(name: "GRDB", package: "GRDB.swift"),
                // Names that GRDB doesn't pass on.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["README.md", "Growth/LICENSE.who-growth"],
            resources: [.embedInCode("Growth/who-growth.json")],
            swiftSettings: settings),
        .executableTarget(
            name: "babybasics-phone",
            dependencies: [
                "BabyBasicsAPI", "BabyBasicsClient", "BabyBasicsKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["EventLoop", "Postgres", logging], path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "FastCGITests", dependencies: ["EventLoop", "FastCGI", "TestSupport", logging],
            swiftSettings: settings),
        .testTarget(
            name: "PostgresTests", dependencies: ["EventLoop", "Postgres", "TestSupport", logging],
            swiftSettings: settings),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: settings),
        .testTarget(
            name: "CurlTests", dependencies: ["Curl"], swiftSettings: settings),
        .testTarget(
            name: "JSONTests", dependencies: ["JSON"], swiftSettings: settings),
        .testTarget(
            name: "NormalizationTests", dependencies: ["Normalization"], swiftSettings: settings),
        .testTarget(
            name: "SharedMemoryTests", dependencies: ["SharedMemory"], swiftSettings: settings),
        .testTarget(
            name: "SystemdTests", dependencies: ["Systemd"], swiftSettings: settings),
        .testTarget(
            name: "BabyBasicsAPITests", dependencies: ["BabyBasicsAPI"], swiftSettings: settings),
        .testTarget(
            name: "BabyBasicsOpenAPITests", dependencies: ["BabyBasicsAPI", "BabyBasicsOpenAPI"],
            swiftSettings: settings),
        .testTarget(
            name: "BabyBasicsClientTests",
            dependencies: ["BabyBasicsAPI", "BabyBasicsClient", "babybasics-demo"],
            swiftSettings: settings),
        .testTarget(
            name: "BabyBasicsKitTests",
            dependencies: [
                "BabyBasicsAPI", "BabyBasicsClient", "BabyBasicsKit", "babybasics-phone",
                .product(name: "GRDB", package: "GRDB.swift"),
            ] + kitServerTests.dependencies,
            exclude: kitServerTests.excluded + ["Sample"],
            swiftSettings: settings),
        .testTarget(
            name: "BabyBasicsServerTests",
            dependencies: [
                "BabyBasicsAPI", "BabyBasicsOpenAPI", "BabyBasicsServer", "Cryptography", "Curl", "FastCGI", "JSON",
                "Postgres",
                "TestSupport", logging,
            ],
            swiftSettings: settings),
    ]
)

// The fuzzers, for `deploy/fuzz` alone: they are built with sanitizers, and no other build should see them.
if Context.environment["BABY_BASICS_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "BabyBasicsAPI", "BabyBasicsServer", "Cryptography", "EventLoop", "FastCGI", "JSON", "Postgres",
                "SharedMemory", logging,
            ],
            path: "Tests/Fuzz/Sources",
            swiftSettings: settings))
}
