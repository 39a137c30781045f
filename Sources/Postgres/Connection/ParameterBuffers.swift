import CLibPQ

/// The four arrays that libpq wants for a statement's parameters, kept for the next statement.
@safe
struct ParameterBuffers: ~Copyable {
    private var values: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private var lengths: UnsafeMutablePointer<Int32>
    private var formats: UnsafeMutablePointer<Int32>
    private var capacity: Int
    // libpq reads a null pointer as NULL, so an empty value points here.
    private let empty: UnsafeMutablePointer<CChar>

    init() {
        capacity = 16
        unsafe values = .allocate(capacity: capacity)
        unsafe lengths = .allocate(capacity: capacity)
        unsafe formats = .allocate(capacity: capacity)
        unsafe formats.initialize(repeating: 1, count: capacity)
        unsafe empty = .allocate(capacity: 1)
        unsafe empty.initialize(to: 0)
    }

    deinit {
        unsafe values.deallocate()
        unsafe lengths.deallocate()
        unsafe formats.deallocate()
        unsafe empty.deallocate()
    }

    /// Sends the execution of a prepared statement; false when libpq could not.
    mutating func send(_ statement: SQL, as name: String, on connection: OpaquePointer) -> Bool {
        let count = statement.parameters.count
        if count > capacity { grow(to: count) }
        return unsafe statement.encoder.bytes.withUnsafeBytes { raw in
            for index in 0..<count {
                let parameter = statement.parameters[index]
                unsafe lengths[index] = max(0, parameter.length)
                switch parameter.length {
                case -1: unsafe values[index] = nil
                case 0: unsafe values[index] = UnsafePointer(empty)
                default:
                    unsafe values[index] = raw.baseAddress.map { base in
                        unsafe (base + parameter.offset).assumingMemoryBound(to: CChar.self)
                    }
                }
            }
            return unsafe PQsendQueryPrepared(
                connection, name, Int32(count), values, lengths, formats, 1) == 1
        }
    }

    private mutating func grow(to count: Int) {
        unsafe values.deallocate()
        unsafe lengths.deallocate()
        unsafe formats.deallocate()
        capacity = count
        unsafe values = .allocate(capacity: capacity)
        unsafe lengths = .allocate(capacity: capacity)
        unsafe formats = .allocate(capacity: capacity)
        unsafe formats.initialize(repeating: 1, count: capacity)
    }
}
