extension SQL {
    /// One statement for several of one template. Its rows begin with the number, from 1, of the statement that they belong to.
    ///
    /// - Returns: nil where the template does not allow it.
    static func many(_ statements: [SQL]) -> SQL? {
        guard let first = statements.first, let text = first.textForMany else { return nil }
        var many = SQL(stringLiteral: text)
        many.encoder.bytes.reserveCapacity(statements.count * (first.encoder.bytes.count + 16) + 64)
        for index in first.parameters.indices {
            guard let type = first.parameters[index].type.array else { return nil }
            let start = many.encoder.bytes.count
            many.encoder.beginArray(
                of: first.parameters[index].type, count: statements.count, hasNulls: true)
            // By their numbers: as values of a loop they would be copied, for each of their parameters.
            for number in statements.indices {
                let value = statements[number].parameters[index]
                let end = value.offset + Int(max(0, value.length))
                many.encoder.append(bigEndian: value.length)
                many.encoder.append(
                    contentsOf: statements[number].encoder.bytes[value.offset..<end])
            }
            many.parameters.append(
                Parameter(
                    type: type, offset: start, length: Int32(many.encoder.bytes.count - start),
                    position: unknownPosition))
        }
        return many
    }
}

extension QueryResult {
    /// Which rows of a result of `SQL.many` belong to each of its statements.
    ///
    /// - Returns: nil where they are not in the order of the statements.
    func shares(of count: Int) -> [Range<Int32>]? {
        var row: Int32 = 0
        let shares = (1...Int64(count)).map { number in
            let start = row
            while row < rowCount, int8(row) == number { row += 1 }
            return start..<row
        }
        return row == rowCount ? shares : nil
    }
}
