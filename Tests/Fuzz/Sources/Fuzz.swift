import Foundation

// libFuzzer's own loop, called instead of its `main`, so that one program holds all targets: one link, one build.
@_silgen_name("LLVMFuzzerRunDriver")
func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `fuzz TARGET [libFuzzer's arguments]`; without a target it lists them.
@main struct Fuzz {
    /// Each takes any bytes, and ends the process where something does not hold.
    static let targets: [String: @Sendable ([UInt8]) -> Void] = [
        "connections": ConnectionsTarget.run,
        "events": EventsTarget.run,
        "json": JSONTarget.run,
        "peer": PeerTarget.run,
        "pipeline": PipelineTarget.run,
        "requests": RequestsTarget.run,
        "routes": RoutesTarget.run,
        "values": ValuesTarget.run,
    ]

    // Set once, before libFuzzer calls.
    nonisolated(unsafe) private static var target: @Sendable ([UInt8]) -> Void = { _ in }

    static func main() {
        guard CommandLine.argc > 1, let chosen = targets[CommandLine.arguments[1]] else {
            print(targets.keys.sorted().joined(separator: "\n"))
            exit(CommandLine.argc > 1 ? 2 : 0)
        }
        target = chosen
        // libFuzzer takes its first argument for the program and the others for its own.
        var count = CommandLine.argc - 1
        var arguments = CommandLine.unsafeArgv + 1
        exit(
            runLibFuzzer(&count, &arguments) { start, count in
                Fuzz.target(Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            })
    }
}

/// Ends the process, for libFuzzer to keep the input.
func fail(_ message: @autoclosure () -> String) -> Never {
    FileHandle.standardError.write(Data("does not hold: \(message())\n".utf8))
    abort()
}

func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fail(message()) }
}

/// What libFuzzer's own `main` calls, which a debug build links beside ours and never runs.
@_cdecl("LLVMFuzzerTestOneInput")
func neverCalled(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { fail("LLVMFuzzerTestOneInput was called") }
