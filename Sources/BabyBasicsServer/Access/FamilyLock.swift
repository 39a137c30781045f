import BabyBasicsAPI
import Postgres

extension Session {
    /// Makes everybody else who changes a child's family wait until the transaction ends, and takes the family's next number for the change.
    ///
    /// Nearly every change needs exactly one, and a refusal undoes it: to lock first and to count later would write the family's row twice.
    /// It travels with the next statement, which yet runs after it and sees what it waited for. Nobody without a session locks anything.
    func lockFamily(of child: ChildID?, _ token: BearerToken, _ now: Timestamp) throws {
        try enqueue(lockAndNumber.binding(child, token.hash, now))
    }

    /// Has a request that makes another number of changes than one take that many numbers, `membership.revision` the first of them.
    ///
    /// Nobody else takes any until the transaction ends, so that this can travel with the changes themselves.
    func takeRevisions(_ count: Int, _ membership: ChildMembership) throws {
        if count == 1 { return }
        try enqueue(moreNumbers.binding(membership.familyID, Int64(count - 1)))
    }
}

private let lockAndNumber = SQLTemplate(
    unescaped: """
        update families set last_revision = last_revision + 1
        where id = (select family_id from children where id = $1)
            and exists (select from sessions where token_hash = $2 and expires_at > $3)
        """)
private let moreNumbers = SQLTemplate(
    unescaped: "update families set last_revision = last_revision + $2 where id = $1")
