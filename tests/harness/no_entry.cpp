// A module without an entry point, as if the lab's adapter had been forgotten.
extern "C" int nothing_to_see() { return 0; }
