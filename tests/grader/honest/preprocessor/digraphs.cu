// Digraphs and alternative words.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n and not (n <= 0)) <% c<:i:> = a[i] + b[i]; %>
