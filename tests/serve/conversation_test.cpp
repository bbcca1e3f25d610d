#include "neuroprim/error.hpp"
#include "serve/client.hpp"
#include "support/no_threads.hpp"

namespace neuroprim::test {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// A question that would be searched for as long as it may.
std::string long_question(Served& served) {
    return json{{"instance", served.points(200)}, {"problem", "mrcst"}, {"time_limit", 30}}.dump();
}

TEST(Conversation, HangingUpStopsTheWork) {
    Served served;
    const std::string question = long_question(served);
    for (const char* accept : {"", "Accept: text/event-stream\r\n"}) {
        RawSocket client(served.port());
        ASSERT_TRUE(client.send(request_bytes("/api/solve", question, accept)));
        EXPECT_TRUE(soon([&] { return served.running() == 1; }));
        client.hang_up();
        EXPECT_TRUE(soon([&] { return served.running() == 0; }));
    }
}

TEST(Conversation, HangingUpLeavesTheQueue) {
    serve::Settings settings;
    settings.limits.jobs = 1;
    Served served(settings);
    const std::string question = long_question(served);
    RawSocket first(served.port());
    ASSERT_TRUE(first.send(request_bytes("/api/solve", question)));
    ASSERT_TRUE(soon([&] { return served.running() == 1; }));
    {
        RawSocket second(served.port());
        ASSERT_TRUE(second.send(request_bytes("/api/solve", question)));
        EXPECT_TRUE(soon([&] { return served.waiting() == 1; }));
    }
    EXPECT_TRUE(soon([&] { return served.waiting() == 0; }));
    EXPECT_EQ(served.running(), 1);
}

TEST(Conversation, AFullQueueIsToldToComeBack) {
    serve::Settings settings;
    settings.limits.jobs = 1;
    settings.limits.queue = 1;
    Served served(settings);
    const std::string question = long_question(served);
    RawSocket first(served.port());
    RawSocket second(served.port());
    ASSERT_TRUE(first.send(request_bytes("/api/solve", question)));
    ASSERT_TRUE(soon([&] { return served.running() == 1; }));
    ASSERT_TRUE(second.send(request_bytes("/api/solve", question)));
    ASSERT_TRUE(soon([&] { return served.waiting() == 1; }));
    const Reply reply = served.post("/api/solve", question);
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.header("Retry-After"), "2");
    first.hang_up();
    second.hang_up();
    EXPECT_TRUE(soon([&] { return served.running() + served.waiting() == 0; }));
    EXPECT_EQ(served.ask("/api/generate", json{{"n", 3}}).status, 200);
}

TEST(Conversation, AStreamShowsThatItLives) {
    serve::Settings settings;
    settings.timeouts.heartbeat = serve::Timeouts::Seconds(0.05);
    settings.limits.time_limit = 0.5;
    Served served(settings);
    RawSocket client(served.port());
    const std::string question =
        json{{"instance", served.points(60)}, {"problem", "mrcst"}, {"method", "sample"}, {"samples", 100000}}.dump();
    ASSERT_TRUE(
        client.send(request_bytes("/api/solve", question, "Accept: text/event-stream\r\nConnection: close\r\n")));
    const std::string text = client.receive(1500ms);
    EXPECT_NE(text.find("\r\n:\n\n"), std::string::npos) << text;
    EXPECT_NE(text.find("event: "), std::string::npos) << text;  // a solution, or none in time
}

TEST(Conversation, TheServerStopsWhateverRuns) {
    auto served = std::make_unique<Served>();
    const std::string question = long_question(*served);
    RawSocket plain(served->port());
    RawSocket streamed(served->port());
    RawSocket idle(served->port());
    ASSERT_TRUE(plain.send(request_bytes("/api/solve", question)));
    ASSERT_TRUE(streamed.send(request_bytes("/api/solve", question, "Accept: text/event-stream\r\n")));
    ASSERT_TRUE(soon([&] { return served->running() == 2; }));
    const auto began = std::chrono::steady_clock::now();
    served.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 3s);
}

TEST(Conversation, APortInUseIsAnError) {
    Served served;
    serve::Settings settings;
    settings.port = served.port();
    try {
        const serve::Server second(settings);
        FAIL() << "bound twice";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("the port is in use"), std::string::npos) << error.what();
    }
    settings.host = "no such host";
    EXPECT_THROW(serve::Server{settings}, InputError);
}

TEST(Conversation, SlowClientsAreLetGo) {
    serve::Settings settings;
    settings.timeouts.idle = serve::Timeouts::Seconds(0.2);
    settings.timeouts.head = serve::Timeouts::Seconds(0.3);
    settings.timeouts.body = serve::Timeouts::Seconds(0.3);
    Served served(settings);
    RawSocket silent(served.port());
    RawSocket half_head(served.port());
    RawSocket half_body(served.port());
    ASSERT_TRUE(half_head.send("GET /api/health HTT"));
    ASSERT_TRUE(
        half_body.send("POST /api/generate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       "Content-Length: 10\r\n\r\n{"));
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(silent.receive(5s), "");
    static_cast<void>(half_head.receive(5s));
    EXPECT_NE(half_body.receive(5s).find("HTTP/1.1 408"), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 4s);
}

/// A byte now and then must not hold a thread for ever.
TEST(Conversation, DrippingClientsAreLetGo) {
    serve::Settings settings;
    settings.timeouts.head = serve::Timeouts::Seconds(0.4);
    Served served(settings);
    RawSocket client(served.port());
    bool open = client.send("GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Drip: ");
    int drops = 0;
    for (; open && drops < 100; ++drops) {
        std::this_thread::sleep_for(50ms);
        open = client.send("x");
    }
    EXPECT_LT(drops, 80);
}

TEST(Conversation, HeadersMayNotBeEndless) {
    Served served;
    RawSocket client(served.port());
    bool open = client.send("GET /api/health HTTP/1.1\r\nHost: localhost\r\n");
    for (int k = 0; open && k < 10000; ++k) open = client.send("X-More: " + std::string(100, 'x') + "\r\n");
    EXPECT_EQ(client.receive(3s).find("200 OK"), std::string::npos);
    EXPECT_EQ(served.get("/api/health").status, 200);
}

TEST(Conversation, AnAddressWithoutEndIsAnswered) {
    Served served;
    for (const std::size_t length : {10'000U, 100'000U}) {
        RawSocket client(served.port());
        client.send("GET /" + std::string(length, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const std::string answer = client.receive(5s);
        EXPECT_EQ(answer.substr(0, 12), "HTTP/1.1 414") << length;
        EXPECT_NE(answer.find("{\"error\": \"the address is too long\"}"), std::string::npos) << answer;
        EXPECT_NE(answer.find("nosniff"), std::string::npos) << answer;
    }
    EXPECT_EQ(served.get("/api/health").status, 200);
}

TEST(Conversation, AHeaderThatMattersComesOnce) {
    Served served;
    const std::string own = "Host: localhost\r\n";
    for (const std::string& twice :
         {own + "Host: evil.example\r\n", own + own, own + "Content-Length: 0\r\nContent-Length: 5\r\n",
          own + "Origin: http://localhost\r\nOrigin: http://evil.example\r\n",
          own + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"}) {
        RawSocket client(served.port());
        ASSERT_TRUE(client.send("GET /api/health HTTP/1.1\r\n" + twice + "\r\n"));
        EXPECT_EQ(client.receive(5s).substr(0, 12), "HTTP/1.1 400") << twice;
    }
}

/// A question of more than 64 kB that would be searched for as long as it may.
std::string large_question(Served& served) {
    std::string question = long_question(served);
    question.insert(question.size() - 1, std::string(200'000, ' '));
    return question;
}

TEST(Conversation, LargeBodiesBeyondTheLimitComeBackLater) {
    serve::Settings settings;
    settings.limits.body_bytes = 250'000;
    settings.limits.bodies_bytes = 400'000;
    Served served(settings);
    const std::string question = large_question(served);
    RawSocket first(served.port());
    ASSERT_TRUE(first.send(request_bytes("/api/solve", question)));
    ASSERT_TRUE(soon([&] { return served.running() == 1; }));
    const Reply refused = served.post("/api/solve", question);
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Retry-After"), "2");
    EXPECT_EQ(served.ask("/api/generate", json{{"n", 3}}).status, 200);  // small ones are not counted
    first.hang_up();
    ASSERT_TRUE(soon([&] { return served.running() == 0; }));
    RawSocket second(served.port());
    ASSERT_TRUE(second.send(request_bytes("/api/solve", question)));
    EXPECT_TRUE(soon([&] { return served.running() == 1; }));  // there is room again
}

TEST(Conversation, ChunkedBodiesAreCountedToo) {
    serve::Settings settings;
    settings.limits.body_bytes = 100'000;
    Served served(settings);
    RawSocket client(served.port());
    bool open = client.send(
        "POST /api/generate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "2710\r\n" + std::string(10000, ' ') + "\r\n";
    for (int k = 0; open && k < 50; ++k) open = client.send(chunk);
    EXPECT_NE(client.receive(5s).find("HTTP/1.1 413"), std::string::npos);
}

TEST(Conversation, SeveralRequestsShareAConnection) {
    Served served;
    httplib::Client client("127.0.0.1", served.port());
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);
    for (int k = 0; k < 20; ++k) {
        const auto reply = client.Post("/api/generate", R"({"n": 5})", "application/json");
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->status, 200);
    }
}

TEST(Conversation, MoreClientsThanThreadsAreAllServed) {
    serve::Settings settings;
    settings.limits.queue = 4;
    Served served(settings);  // 70 threads
    std::vector<std::unique_ptr<RawSocket>> idle;
    for (int k = 0; k < 150; ++k) idle.push_back(std::make_unique<RawSocket>(served.port()));
    EXPECT_EQ(served.get("/api/health").status, 200);
    EXPECT_TRUE(idle.back()->send("GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    EXPECT_NE(idle.back()->receive(5s).find("\"status\": \"ok\""), std::string::npos);
}

TEST(Conversation, NonsenseIsNoRequest) {
    Served served;
    for (const char* bytes :
         {"\r\n\r\n", "hello\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x01\x01", "GET / HTTP/9.9\r\n\r\n"}) {
        RawSocket client(served.port());
        ASSERT_TRUE(client.send(bytes));
        EXPECT_EQ(client.receive(300ms).find("200 OK"), std::string::npos) << bytes;
    }
    EXPECT_EQ(served.get("/api/health").status, 200);
}

/// Exits with 0 when a server that gets no thread for its clients answers them all the same.
[[noreturn]] void serve_without_new_threads() {
    serve::Settings settings;
    settings.port = 0;
    const serve::Server server(settings);
    refuse_new_threads();
    bool answered = true;
    for (int client = 0; client < 3; ++client) {
        httplib::Client asking("127.0.0.1", server.port());
        const auto health = asking.Get("/api/health");
        const std::string question = R"({"instance": {"points": [[0, 0], [1, 0], [0, 1]]}, "problem": "mst"})";
        const auto tree = asking.Post("/api/solve", question, "application/json");
        answered = answered && health && health->status == 200 && tree && tree->status == 200;
    }
    std::_Exit(answered ? 0 : 1);
}

TEST(ConversationDeathTest, GoesOnWhereTheSystemRefusesThreads) {
    EXPECT_EXIT(serve_without_new_threads(), done_or_untestable, "");
}

}  // namespace

}  // namespace neuroprim::test
