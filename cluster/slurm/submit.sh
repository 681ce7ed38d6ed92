# shellcheck shell=bash disable=SC2154
# Sourced by the scripts beside it, after site.conf, with `root` set to the tree's root.

# Ends the script where there is no Slurm. To be called before anything is written.
need_slurm() {
  command -v sbatch >/dev/null || {
    printf '%s: sbatch is not installed: this machine does not belong to a Slurm cluster\n' "$0" >&2
    exit 3
  }
}

# submit OPTIONS SCRIPT ARGUMENTS: sbatch with the site's settings; prints the job's number.
submit() {
  WARPLAB_ROOT=$root sbatch --parsable --export=ALL ${partition:+--partition="$partition"} \
    ${account:+--account="$account"} "$@" |
    cut -d ';' -f 1
}
