#include "serve/response.hpp"

#include <new>

#include "formats/write/json_object.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::serve {

ApiResponse error_response(int status, std::string_view message) {
    return {status, "application/json", "{\"error\": " + formats::json_string(message) + "}\n"};
}

ApiResponse response_of(const std::function<ApiResponse()>& work) {
    try {
        return work();
    } catch (const HttpError& error) {
        return error_response(error.status(), error.what());
    } catch (const TooLarge& error) {
        return error_response(413, error.what());
    } catch (const InputError& error) {
        return error_response(400, respelled(error.what(), Spelling::field));
    } catch (const Infeasible& error) {
        return error_response(422, error.what());
    } catch (const Interrupted& error) {
        return error_response(503, error.what());
    } catch (const std::bad_alloc&) {
        return error_response(413, "there is not enough memory for this");
    } catch (const std::exception& error) {
        return error_response(500, error.what());
    }
}

}  // namespace neuroprim::serve
