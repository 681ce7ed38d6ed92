# The releases that are taken where a library is not installed: by FetchContent (WarplabDependencies.cmake),
# and into bundles (WarplabBundle.cmake).
function(warplab_pin name url hash)
  set(warplab_url_of_${name} ${url} PARENT_SCOPE)
  set(warplab_hash_of_${name} ${hash} PARENT_SCOPE)
endfunction()

warplab_pin(CLI11 https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
warplab_pin(fmt https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
  SHA256=1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811)
warplab_pin(nlohmann_json https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
warplab_pin(stb https://github.com/nothings/stb/archive/5736b15f7ea0ffb08dd38af21067c314d6a3aae9.tar.gz
  SHA256=d00921d49b06af62aa6bfb97c1b136bec661dd11dd4eecbcb0da1f6da7cedb4c)
warplab_pin(googletest https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
