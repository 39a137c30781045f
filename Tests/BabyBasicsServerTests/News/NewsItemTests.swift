import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsServer

@Suite("News on their way")
struct NewsItemTests {
    private let family = FamilyID(UUID())
    private let user = UserID(UUID())

    @Test("What was written is read again, and what is anything else is passed over")
    func text() {
        let items = [
            NewsItem.family(family, upTo: 42), .family(family, upTo: NewsItem.unknown), .user(user), .mail,
        ]
        for item in items { #expect(NewsItem(item.text[...]) == item) }
        let id = family.description
        for text in [
            "", "f", "f:\(id)", "f:\(id):", "f:\(id):x", "f:\(id):1:2", "f:x:1", "u:", "u:x", "m:x", "x:\(id)",
        ] {
            #expect(NewsItem(text[...]) == nil, "\(text)")
        }
    }

    @Test("Of a family the latest revision is sent, once")
    func merged() {
        var news = GatheredNews()
        for revision in [3, 7, 5] as [Int64] { news.add(.family(family, upTo: revision)) }
        for _ in 0..<2 { news.add(.user(user)) }
        #expect(news.count == 2)
        #expect(GatheredNews.payloads(of: news.take()) == ["f:\(family):7 u:\(user)"])
        #expect(news.isEmpty)
        #expect(news.take() == [])
    }

    /// Whose request it is is known once a first look has been answered.
    @Test("A session that ends while its request is about to wait is heard of", arguments: [true, false])
    func endsBeforeTheWait(hasEnded: Bool) {
        var waiters = FeedWaiters()
        let waiter = FeedWaiter(family: family, revision: 5)
        waiters.add(waiter)
        if hasEnded { waiters.tell(.user(user)) }
        waiters.begin(waiter, of: user)
        #expect((waiter.toldAt != nil) == hasEnded)
    }

    @Test("Payloads are as long as the database takes them, and hold every item")
    func payloads() {
        var news = GatheredNews()
        for _ in 0..<1000 { news.add(.family(FamilyID(UUID()), upTo: NewsItem.unknown)) }
        let payloads = GatheredNews.payloads(of: news.take())
        #expect(payloads.allSatisfy { $0.utf8.count < 8000 })
        #expect(payloads.count < 10)
        #expect(payloads.flatMap { $0.split(separator: " ") }.compactMap(NewsItem.init).count == 1000)
    }

    @Test("What nobody takes does not grow without end")
    func bound() {
        var news = GatheredNews()
        for _ in 0..<20_000 { news.add(.user(UserID(UUID()))) }
        #expect(news.count == 10_000)
    }
}
