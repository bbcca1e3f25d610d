// The page without a server: what it asks of a server is answered in workers of its own.

import { answerLocally } from "./client";

answerLocally(); // before the page asks its first question
void import("../src/main");
