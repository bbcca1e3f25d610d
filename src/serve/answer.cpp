#include "serve/answer.hpp"

#include <new>

#include "formats/write/writers.hpp"

namespace neuroprim::serve {

Answer refusal(int status, std::string_view message) {
    return {status, "application/json", "{\"error\": " + formats::json_string(message) + "}\n"};
}

Answer answer_of(const std::function<Answer()>& work) {
    try {
        return work();
    } catch (const Refusal& error) {
        return refusal(error.status(), error.what());
    } catch (const TooLarge& error) {
        return refusal(413, error.what());
    } catch (const InputError& error) {
        return refusal(400, error.what());
    } catch (const Infeasible& error) {
        return refusal(422, error.what());
    } catch (const Interrupted& error) {
        return refusal(503, error.what());
    } catch (const std::bad_alloc&) {
        return refusal(413, "there is not enough memory for this");
    } catch (const std::exception& error) {
        return refusal(500, error.what());
    }
}

}  // namespace neuroprim::serve
